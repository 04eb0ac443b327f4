// HorizontalPodAutoscalers: bounds, targets, metrics and how fast to go.

import type { Case } from '../frame/case.ts';
import { inOwnNamespace, trying } from './tried.ts';

const spec = { maxReplicas: 3, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' } };
const tried = trying(inOwnNamespace('horizontalpodautoscalers', '/apis/autoscaling/v2'), { spec });
const of = (more: object): object => ({ spec: { ...spec, ...more } });
const metric = (...metrics: readonly object[]): object => of({ metrics });
const cpu = (target: object): object => metric({ type: 'Resource', resource: { name: 'cpu', target } });
const up = (scaleUp: object): object => of({ behavior: { scaleUp } });

export const autoscalers: readonly Case[] = [
  tried(
    'an autoscaler goes from at least one to at least as many',
    of({}),
    of({ maxReplicas: 0 }),
    of({ maxReplicas: -1 }),
    of({ minReplicas: 0 }),
    of({ minReplicas: -1 }),
    of({ minReplicas: 5 }),
  ),
  tried(
    'an autoscaler names what it scales',
    of({ scaleTargetRef: {} }),
    of({ scaleTargetRef: { kind: 'Deployment', name: '' } }),
    of({ scaleTargetRef: { kind: 'a/b', name: 'a/b' } }),
    of({ scaleTargetRef: { apiVersion: 'a/b/c', kind: 'Deployment', name: 'web' } }),
  ),
  tried(
    'a metric of an autoscaler is of one type, which it has',
    metric({}),
    metric({ type: 'Odd' }),
    metric({ type: 'Resource' }),
    metric({ type: 'Pods', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } }),
  ),
  tried(
    'the target of a resource metric is a share or an amount',
    cpu({ type: 'Utilization', averageUtilization: 50 }),
    cpu({ type: 'AverageValue', averageValue: '100m' }),
    cpu({ type: 'Utilization' }),
    cpu({ type: 'Utilization', averageUtilization: 0 }),
    cpu({ type: 'Utilization', averageUtilization: 50, averageValue: '100m' }),
    cpu({ type: 'Odd', averageUtilization: 50 }),
    cpu({}),
    metric({ type: 'Resource', resource: { name: '', target: { type: 'Utilization', averageUtilization: 50 } } }),
    cpu({ type: 'AverageValue', averageValue: '-1' }),
  ),
  tried(
    'a metric of one container names it',
    metric({
      type: 'ContainerResource',
      containerResource: { name: 'cpu', container: '', target: { type: 'Utilization', averageUtilization: 50 } },
    }),
    metric({
      type: 'ContainerResource',
      containerResource: { name: '', container: 'c', target: { type: 'AverageValue', averageValue: '0' } },
    }),
  ),
  tried(
    'a metric of Pods, an object or of outside is named',
    metric({ type: 'Pods', pods: { metric: { name: '' }, target: { type: 'AverageValue', averageValue: '1' } } }),
    metric({ type: 'Pods', pods: { metric: { name: 'm' }, target: { type: 'AverageValue' } } }),
    metric({ type: 'External', external: { metric: { name: 'a/b' }, target: { type: 'Value', value: '1' } } }),
    metric({ type: 'External', external: { metric: { name: 'm' }, target: { type: 'Value' } } }),
    metric({
      type: 'External',
      external: { metric: { name: 'm' }, target: { type: 'Value', value: '1', averageValue: '1' } },
    }),
    metric({
      type: 'Object',
      object: { describedObject: { kind: '', name: '' }, metric: { name: 'm' }, target: { type: 'Value', value: '0' } },
    }),
  ),
  tried(
    'how fast an autoscaler goes is ruled by policies',
    up({ policies: [{ type: 'Pods', value: 4, periodSeconds: 60 }] }),
    up({ policies: [{ type: 'Odd', value: 4, periodSeconds: 60 }] }),
    up({ policies: [{ type: 'Pods', value: 0, periodSeconds: 60 }] }),
    up({ policies: [{ type: 'Pods', value: 4, periodSeconds: 0 }] }),
    up({ policies: [{ type: 'Pods', value: 4, periodSeconds: 1801 }] }),
    up({ selectPolicy: 'Odd', policies: [{ type: 'Pods', value: 4, periodSeconds: 60 }] }),
    up({ stabilizationWindowSeconds: -1 }),
    up({ stabilizationWindowSeconds: 3601 }),
  ),
];
