// pods/log: which lines a client gets, and how wrong questions are refused.

import type { Case } from '../frame/case.ts';
import { NODE } from '../frame/kubelet.ts';
import { aPod, podsIn } from '../frame/prepared.ts';
import type { Trial } from '../frame/trial.ts';

/** The path of a Pod that is bound to the Node behind both servers. */
export async function boundPod(t: Trial, name = 'p', spec: object = {}): Promise<string> {
  const pods = await podsIn(t);
  await t.quietly({ method: 'POST', path: pods, body: aPod(name, { nodeName: NODE, ...spec }) });
  return `${pods}/${name}`;
}

const TWO = { containers: ['one', 'two'].map(name => ({ name, image: 'example.com/x:1' })) };

export const logs: readonly Case[] = [
  {
    says: 'a log is the plain text that the kubelet has',
    steps: async t => {
      const pod = await boundPod(t);
      await t.get(`${pod}/log`);
      await t.get(`${pod}/log?container=main&tailLines=2&timestamps=true`);
      await t.get(`${pod}/log?previous=true`);
      await t.get(`${pod}/log?limitBytes=10`);
      await t.get(`${pod}/log?tailLines=0`);
    },
  },
  {
    says: 'a log is cut by a moment, a stream, and both at once where that is allowed',
    steps: async t => {
      const pod = await boundPod(t);
      await t.get(`${pod}/log?sinceTime=2026-01-01T00:00:03Z`);
      await t.get(`${pod}/log?stream=Stderr&timestamps=true`);
      await t.get(`${pod}/log?stream=Stdout&limitBytes=30`);
      await t.get(`${pod}/log?stream=Stderr&tailLines=1`);
    },
  },
  {
    says: 'a followed log goes on until the container ends',
    steps: async t => {
      const pod = await boundPod(t);
      await t.get(`${pod}/log?follow=true&tailLines=1`);
    },
  },
  {
    says: 'a log of a Pod with several containers must name one of them',
    steps: async t => {
      const pod = await boundPod(t, 'p', TWO);
      await t.get(`${pod}/log`);
      await t.get(`${pod}/log?container=three`);
      await t.get(`${pod}/log?container=two&tailLines=1`);
    },
  },
  {
    says: 'a log of an init container or of an ephemeral one is to be had',
    steps: async t => {
      const pod = await boundPod(t, 'p', { initContainers: [{ name: 'before', image: 'example.com/x:1' }] });
      await t.get(`${pod}/log?container=before&tailLines=1`);
      const ephemeralContainers = [{ name: 'debugger', image: 'example.com/x:1' }];
      await t.quietly({
        method: 'PATCH',
        path: `${pod}/ephemeralcontainers`,
        headers: { 'content-type': 'application/strategic-merge-patch+json' },
        body: { spec: { ephemeralContainers } },
      });
      await t.get(`${pod}/log?container=debugger&tailLines=1`);
    },
  },
  {
    says: 'a log with options that make no sense is refused',
    steps: async t => {
      const pod = await boundPod(t);
      await t.get(`${pod}/log?tailLines=-1`);
      await t.get(`${pod}/log?limitBytes=0&sinceSeconds=0`);
      await t.get(`${pod}/log?sinceSeconds=1&sinceTime=2026-01-01T00:00:00Z`);
      await t.get(`${pod}/log?tailLines=many`);
      await t.get(`${pod}/log?follow=perhaps&tailLines=1`);
      await t.get(`${pod}/log?sinceTime=yesterday`);
    },
  },
  {
    says: 'a log of a Pod that no Node has is empty',
    steps: async t => {
      const pods = await podsIn(t);
      await t.quietly({ method: 'POST', path: pods, body: aPod('p') });
      await t.get(`${pods}/p/log`);
      await t.get(`${pods}/p/log?container=nobody`);
      await t.get(`${pods}/absent/log`);
    },
  },
  {
    says: 'a log that the kubelet refuses is refused in its words',
    steps: async t => {
      const pod = await boundPod(t, 'gone');
      await t.get(`${pod}/log`);
    },
  },
  {
    says: 'a log of a Pod whose Node is not there, or says no address, is not to be had',
    steps: async t => {
      const pod = await boundPod(t, 'p', { nodeName: 'no-such-node' });
      await t.get(`${pod}/log`);
      const silent = t.own('silent');
      await t.quietly({ method: 'POST', path: '/api/v1/nodes', body: { metadata: { name: silent } } });
      t.after(() => t.quietly({ method: 'DELETE', path: `/api/v1/nodes/${silent}` }));
      const other = await boundPod(t, 'other', { nodeName: silent });
      await t.get(`${other}/log`);
    },
  },
  {
    says: 'a log of a Pod whose Node does not answer tells what was tried',
    steps: async t => {
      const dead = t.own('dead');
      const status = {
        addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
        daemonEndpoints: { kubeletEndpoint: { Port: 1 } },
      };
      await t.quietly({ method: 'POST', path: '/api/v1/nodes', body: { metadata: { name: dead }, status } });
      t.after(() => t.quietly({ method: 'DELETE', path: `/api/v1/nodes/${dead}` }));
      const pod = await boundPod(t, 'p', { nodeName: dead });
      await t.get(`${pod}/log`);
      await t.get(`${pod}/log?insecureSkipTLSVerifyBackend=true`);
    },
  },
  {
    says: 'a log is only read, and as plain text whatever is accepted',
    steps: async t => {
      const pod = await boundPod(t);
      await t.post(`${pod}/log`, {});
      await t.get(`${pod}/log?tailLines=1`, { headers: { accept: 'application/json' } });
      await t.get(`${pod}/log?tailLines=1`, { headers: { accept: 'application/xml' } });
      await t.get(`${pod}/log?tailLines=1`, { as: { user: 'nobody' } });
    },
  },
];
