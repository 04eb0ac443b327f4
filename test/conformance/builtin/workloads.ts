// Deployments, ReplicaSets, Jobs and their kin, as they are stored for the controllers that others run.

import type { Case } from '../frame/case.ts';

const APPS = '/apis/apps/v1';
const BATCH = '/apis/batch/v1';
const MERGE = 'merge-patch+json';
const labels = { app: 'web' };
const podSpec = { containers: [{ name: 'main', image: 'example.com/main:1' }] };
const template = { metadata: { labels }, spec: podSpec };
const selector = { matchLabels: labels };
const workload = (name: string, spec: object = {}): object => ({
  metadata: { name },
  spec: { selector, template, ...spec },
});
const once = { spec: { ...podSpec, restartPolicy: 'Never' } };
const job = (name: string, spec: object = {}): object => ({ metadata: { name }, spec: { template: once, ...spec } });

export const workloads: readonly Case[] = [
  {
    says: 'a Deployment is filled in, and counts the changes of its spec',
    steps: async t => {
      const path = await t.in('deployments', APPS);
      await t.post(path, workload('d'));
      await t.patch(`${path}/d`, MERGE, { metadata: { labels: { a: 'b' } } });
      await t.patch(`${path}/d`, MERGE, { metadata: { annotations: { a: 'b' } } });
      await t.patch(`${path}/d`, MERGE, { spec: { replicas: 3, paused: true } });
      await t.patch(`${path}/d/status`, MERGE, { status: { replicas: 3, observedGeneration: 3 } });
      await t.patch(`${path}/d`, MERGE, { spec: { strategy: { type: 'Recreate', rollingUpdate: null } } });
    },
  },
  {
    says: 'a Deployment that makes no sense is refused, and keeps its selector',
    steps: async t => {
      const path = await t.in('deployments', APPS);
      await t.post(path, workload('other', { selector: { matchLabels: { app: 'other' } } }));
      await t.post(path, { metadata: { name: 'empty' }, spec: {} });
      await t.post(path, workload('less', { replicas: -1, revisionHistoryLimit: -1, minReadySeconds: -1 }));
      await t.post(path, workload('late', { progressDeadlineSeconds: 5, minReadySeconds: 5 }));
      const stuck = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } };
      await t.post(path, workload('stuck', { strategy: stuck }));
      await t.post(path, workload('both', { strategy: { type: 'Recreate', rollingUpdate: { maxSurge: 1 } } }));
      await t.post(path, workload('odd', { strategy: { type: 'Slowly' } }));
      await t.post(
        path,
        workload('never', { template: { ...template, spec: { ...podSpec, restartPolicy: 'Never' } } }),
      );
      await t.post(path, workload('d'));
      const moved = { matchLabels: { app: 'moved' } };
      await t.patch(`${path}/d`, MERGE, {
        spec: { selector: moved, template: { metadata: { labels: { app: 'moved' } } } },
      });
    },
  },
  {
    says: 'the scale of a Deployment is read and written by itself',
    steps: async t => {
      const path = await t.in('deployments', APPS);
      await t.quietly({ method: 'POST', path, body: workload('d', { replicas: 2 }) });
      const { json } = await t.get(`${path}/d/scale`);
      await t.put(`${path}/d/scale`, { ...json, spec: { replicas: 5 } });
      await t.put(`${path}/d/scale`, { ...json, spec: { replicas: 6 } });
      await t.put(`${path}/d/scale`, { ...json, metadata: { name: 'd' }, spec: { replicas: -1 } });
      await t.patch(`${path}/d/scale`, MERGE, { spec: { replicas: 0 } });
      await t.get(`${path}/absent/scale`);
      const { json: after } = await t.quietly({ method: 'GET', path: `${path}/d` });
      t.note('generation', after.metadata.generation);
    },
  },
  {
    says: 'a ReplicaSet keeps its selector and counts what is wanted of it',
    steps: async t => {
      const path = await t.in('replicasets', APPS);
      await t.post(path, workload('r', { replicas: 2 }));
      await t.patch(`${path}/r`, MERGE, {
        spec: { selector: { matchLabels: { app: 'x' } }, template: { metadata: { labels: { app: 'x' } } } },
      });
      await t.patch(`${path}/r/status`, MERGE, { status: { replicas: 2, readyReplicas: 3 } });
      await t.patch(`${path}/r/status`, MERGE, { status: { replicas: 2, readyReplicas: 1, fullyLabeledReplicas: 2 } });
    },
  },
  {
    says: 'a StatefulSet changes little of its spec',
    steps: async t => {
      const path = await t.in('statefulsets', APPS);
      await t.post(path, workload('s', { serviceName: 's' }));
      await t.patch(`${path}/s`, MERGE, { spec: { serviceName: 'other' } });
      await t.patch(`${path}/s`, MERGE, { spec: { podManagementPolicy: 'Parallel' } });
      await t.patch(`${path}/s`, MERGE, { spec: { replicas: 3, minReadySeconds: 1, ordinals: { start: 5 } } });
      await t.post(
        path,
        workload('odd', { serviceName: 's', podManagementPolicy: 'Chaos', updateStrategy: { type: 'Odd' } }),
      );
    },
  },
  {
    says: 'a DaemonSet rolls out by default',
    steps: async t => {
      const path = await t.in('daemonsets', APPS);
      await t.post(path, workload('d'));
      const rollingUpdate = { maxSurge: 1, maxUnavailable: 1 };
      await t.patch(`${path}/d`, MERGE, { spec: { updateStrategy: { rollingUpdate } } });
      await t.patch(`${path}/d`, MERGE, { spec: { updateStrategy: { type: 'OnDelete', rollingUpdate: null } } });
      await t.patch(`${path}/d`, MERGE, { spec: { template: { spec: { restartPolicy: 'OnFailure' } } } });
    },
  },
  {
    says: 'a Job gets a selector of its own',
    steps: async t => {
      const path = await t.in('jobs', BATCH);
      await t.post(path, job('j'));
      await t.post(
        path,
        job('indexed', { completionMode: 'Indexed', completions: 3, parallelism: 2, backoffLimitPerIndex: 1 }),
      );
      await t.post(
        path,
        job('manual', { manualSelector: true, selector, template: { ...once, metadata: { labels } } }),
      );
    },
  },
  {
    says: 'a Job that makes no sense is refused',
    steps: async t => {
      const path = await t.in('jobs', BATCH);
      await t.post(path, job('always', { template: { spec: podSpec } }));
      await t.post(
        path,
        job('less', { parallelism: -1, completions: -1, backoffLimit: -1, activeDeadlineSeconds: -1 }),
      );
      await t.post(path, job('indexed', { completionMode: 'Indexed' }));
      await t.post(
        path,
        job('odd', { completionMode: 'Odd', ttlSecondsAfterFinished: -1, podReplacementPolicy: 'Never' }),
      );
      const rules = [{ action: 'Ignore', onExitCodes: { operator: 'In', values: [0] } }];
      await t.post(path, job('policy', { podFailurePolicy: { rules } }));
    },
  },
  {
    says: 'a Job changes how much at once, and not what',
    steps: async t => {
      const path = await t.in('jobs', BATCH);
      await t.quietly({ method: 'POST', path, body: job('j', { completions: 3 }) });
      await t.patch(`${path}/j`, MERGE, { spec: { parallelism: 3 } });
      await t.patch(`${path}/j`, MERGE, { spec: { completions: 5 } });
      await t.patch(`${path}/j`, MERGE, { spec: { suspend: true, backoffLimit: 1 } });
    },
  },
  {
    says: 'the status of a Job is written by itself',
    steps: async t => {
      const path = await t.in('jobs', BATCH);
      await t.quietly({ method: 'POST', path, body: job('j') });
      await t.patch(`${path}/j/status`, MERGE, { status: { active: 1, startTime: '2026-01-01T00:00:00Z' } });
    },
  },
  {
    says: 'a CronJob has a schedule that can be read',
    steps: async t => {
      const path = await t.in('cronjobs', BATCH);
      const jobTemplate = { spec: { template: once } };
      const cron = (name: string, spec: object): object => ({
        metadata: { name },
        spec: { jobTemplate, schedule: '*/5 * * * *', ...spec },
      });
      await t.post(path, cron('c', {}));
      await t.post(path, cron('words', { schedule: 'often' }));
      await t.post(path, cron('empty', { schedule: '' }));
      await t.post(path, cron('zone', { schedule: 'TZ=UTC 0 * * * *' }));
      await t.post(path, cron('nowhere', { timeZone: 'Moon/Crater' }));
      await t.post(
        path,
        cron('odd', { concurrencyPolicy: 'Perhaps', startingDeadlineSeconds: -1, successfulJobsHistoryLimit: -1 }),
      );
      await t.post(path, cron('a-name-that-is-too-long-for-the-jobs-that-shall-be-made-of-it', {}));
      await t.patch(`${path}/c`, MERGE, { spec: { schedule: '@daily', timeZone: 'Etc/UTC' } });
    },
  },
  {
    says: 'a ControllerRevision never changes its data',
    steps: async t => {
      const path = await t.in('controllerrevisions', APPS);
      await t.quietly({
        method: 'POST',
        path,
        body: { metadata: { name: 'r' }, revision: 1, data: { spec: { a: 1 } } },
      });
      await t.patch(`${path}/r`, MERGE, { data: { spec: { a: 2 } } });
      await t.patch(`${path}/r`, MERGE, { revision: -1 });
      await t.post(path, { metadata: { name: 'none' }, revision: 1 });
    },
  },
];
