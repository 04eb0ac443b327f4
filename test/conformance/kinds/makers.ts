// What else makes Pods or remembers how they were made: odd PodTemplates, ControllerRevisions and halves of DaemonSets.

import type { Case } from '../frame/case.ts';
import { inNamespace, type Kind, odd, oddChanges } from './odd-objects.ts';

const apps = '/apis/apps/v1';
const podSpec = { containers: [{ name: 'main', image: 'example.com/main:1' }] };
const podTemplate: Kind = { door: inNamespace('podtemplates', '/api/v1'), sound: { template: { spec: podSpec } } };
const revision: Kind = { door: inNamespace('controllerrevisions', apps), sound: { data: {}, revision: 1 } };
const daemonSet: Kind = { door: inNamespace('daemonsets', apps), sound: {} };
const labels = { app: 'a' };
const budget: Kind = {
  door: inNamespace('poddisruptionbudgets', '/apis/policy/v1'),
  sound: { spec: { minAvailable: 1, selector: { matchLabels: labels } } },
};

export const makers: readonly Case[] = [
  odd(
    podTemplate,
    'a PodTemplate holds a Pod that could be made',
    ['sound', {}],
    ['nothing in it', { template: {} }],
    ['no template', { template: undefined }],
    ['no containers', { template: { spec: { containers: [] } } }],
    ['container', { template: { spec: { containers: [{ name: 'A_b' }] } } }],
    ['labels', { template: { metadata: { labels: { 'a b': 'c' } }, spec: podSpec } }],
    ['annotations', { template: { metadata: { annotations: { 'a b': 'c' } }, spec: podSpec } }],
    ['ends', { template: { spec: { ...podSpec, restartPolicy: 'Never', activeDeadlineSeconds: 5 } } }],
    ['deadline', { template: { spec: { ...podSpec, activeDeadlineSeconds: -5 } } }],
    ['policy', { template: { spec: { ...podSpec, restartPolicy: 'x' } } }],
    ['ephemeral', { template: { spec: { ...podSpec, ephemeralContainers: [{ name: 'e', image: 'e' }] } } }],
  ),
  odd(
    revision,
    'a ControllerRevision has data and a number',
    ['sound', {}],
    ['below zero', { revision: -1 }],
    ['below zero without data', { revision: -1, data: undefined }],
    ['no number', { revision: undefined }],
    ['null', { data: null }],
    ['text', { data: 'text' }],
    ['list', { data: [] }],
    ['number', { data: 1 }],
  ),
  oddChanges(
    revision,
    'a ControllerRevision keeps its data, and may be renumbered',
    ['other data', '', { data: { a: 1 } }],
    ['no data', '', { data: null }],
    ['number', '', { revision: 2 }],
    ['below zero and other data', '', { revision: -1, data: { a: 1 } }],
  ),
  oddChanges(
    budget,
    'the status of a PodDisruptionBudget counts from zero',
    ['allowed', '/status', { status: { disruptionsAllowed: -1 } }],
    [
      'all',
      '/status',
      { status: { disruptionsAllowed: -1, currentHealthy: -2, desiredHealthy: -3, expectedPods: -4 } },
    ],
    ['sound', '/status', { status: { disruptionsAllowed: 1, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 } }],
  ),
  odd(
    daemonSet,
    'half a DaemonSet is told what it lacks',
    ['no spec', {}],
    ['nothing in it', { spec: {} }],
    ['strategy', { spec: { updateStrategy: { type: 'Foo' }, template: {} } }],
    ['empty selector', { spec: { selector: {}, template: { spec: podSpec } } }],
    ['empty selector and labels', { spec: { selector: {}, template: { metadata: { labels }, spec: podSpec } } }],
    ['labels alone', { spec: { template: { metadata: { labels }, spec: podSpec } } }],
    ['selector alone', { spec: { selector: { matchLabels: labels } } }],
    ['odd selector', { spec: { selector: { matchLabels: { 'a b': 'c' } }, template: { spec: podSpec } } }],
  ),
];
