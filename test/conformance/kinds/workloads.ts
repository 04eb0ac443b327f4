// What makes Pods: odd StatefulSets, Jobs, CronJobs, Deployments, DaemonSets.

import type { Case } from '../frame/case.ts';
import { inNamespace, type Kind, odd } from './odd-objects.ts';

const labels = { app: 'a' };
const podSpec = { containers: [{ name: 'main', image: 'example.com/main:1' }] };
const template = (spec: object = {}, metadata: object = {}): object => ({
  metadata: { labels, ...metadata },
  spec: { ...podSpec, ...spec },
});
const selector = { matchLabels: labels };
const apps = '/apis/apps/v1';

const statefulSet: Kind = {
  door: inNamespace('statefulsets', apps),
  sound: { spec: { serviceName: 's', selector, template: template() } },
};
const claim = (spec: object, metadata: object = { name: 'data' }): object => ({ metadata, spec });
const claimSpec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
const deployment: Kind = {
  door: inNamespace('deployments', apps),
  sound: { spec: { selector, template: template() } },
};
const daemonSet: Kind = { ...deployment, door: inNamespace('daemonsets', apps) };
const replicaSet: Kind = { ...deployment, door: inNamespace('replicasets', apps) };

const ending = (spec: object = {}, metadata: object = {}): object =>
  template({ restartPolicy: 'Never', ...spec }, metadata);
const job: Kind = { door: inNamespace('jobs', '/apis/batch/v1'), sound: { spec: { template: ending() } } };
const cronJob: Kind = {
  door: inNamespace('cronjobs', '/apis/batch/v1'),
  sound: { spec: { schedule: '* * * * *', jobTemplate: { spec: { template: ending() } } } },
};
const rules = (...all: readonly object[]): { podFailurePolicy: object } => ({ podFailurePolicy: { rules: all } });
const onCodes = (onExitCodes: object): object => ({ action: 'FailJob', onExitCodes });
const indexed = { completionMode: 'Indexed', completions: 3, parallelism: 1 };

export const workloads: readonly Case[] = [
  odd(
    statefulSet,
    'a StatefulSet with anything odd is refused',
    ['dotted name', { metadata: { name: 'a.b' } }],
    ['long name', { metadata: { name: 'a'.repeat(64) } }],
    ['claim without a spec', {}, { volumeClaimTemplates: [claim({})] }],
    ['claim of nothing', {}, { volumeClaimTemplates: [claim({ ...claimSpec, accessModes: ['x'] })] }],
    ['claim without a name', {}, { volumeClaimTemplates: [claim(claimSpec, {})] }],
    ['claim badly named', {}, { volumeClaimTemplates: [claim(claimSpec, { name: 'A_b' })] }],
    [
      'claim mounted',
      {},
      {
        volumeClaimTemplates: [claim(claimSpec)],
        template: template({
          containers: [{ name: 'm', image: 'm', volumeMounts: [{ name: 'data', mountPath: '/d' }] }],
        }),
      },
    ],
    ['ordinals', {}, { ordinals: { start: -1 } }],
    ['retention', {}, { persistentVolumeClaimRetentionPolicy: { whenDeleted: 'x', whenScaled: 'y' } }],
    ['retention in part', {}, { persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete' } }],
    ['service', {}, { serviceName: 'A_b' }],
    ['no service', {}, { serviceName: '' }],
    ['counts', {}, { replicas: -1, minReadySeconds: -1, revisionHistoryLimit: -1 }],
    ['strategy', {}, { updateStrategy: { type: 'x' }, podManagementPolicy: 'y' }],
    ['partition', {}, { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: -1 } } }],
    ['share', {}, { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '0%' } } }],
    ['partition on delete', {}, { updateStrategy: { type: 'OnDelete', rollingUpdate: { partition: 1 } } }],
    ['selector', {}, { selector: { matchLabels: { 'a b': 'c' } } }],
    ['operator', {}, { selector: { matchExpressions: [{ key: 'app', operator: 'x' }] } }],
    ['empty selector', {}, { selector: {} }],
    ['other labels', {}, { selector: { matchLabels: { app: 'b' } } }],
    ['template that ends', {}, { template: ending({ activeDeadlineSeconds: 1 }) }],
    ['template labels', {}, { template: template({}, { labels: { app: 'a', 'a b': 'c' } }) }],
    ['hostname', {}, { template: template({ hostname: 'A_b', subdomain: 'C_d' }) }],
  ),
  odd(
    deployment,
    'a Deployment with anything odd is refused',
    ['deadline', {}, { template: template({ activeDeadlineSeconds: 5 }) }],
    ['ends', {}, { template: ending() }],
    ['selector', {}, { selector: { matchLabels: { 'a b': 'c' } } }],
    ['operator', {}, { selector: { matchExpressions: [{ key: 'app', operator: 'x' }] } }],
    ['no values', {}, { selector: { matchExpressions: [{ key: 'app', operator: 'In' }] } }],
    ['empty selector', {}, { selector: {} }],
    ['no selector', {}, { selector: null }],
    ['counts', {}, { replicas: -1, minReadySeconds: -1, revisionHistoryLimit: -1, progressDeadlineSeconds: -1 }],
    ['strategy', {}, { strategy: { type: 'x' } }],
    ['surge', {}, { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 'x', maxUnavailable: '200%' } } }],
    ['none', {}, { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: '0%' } } }],
  ),
  odd(
    daemonSet,
    'a DaemonSet with anything odd is refused',
    ['deadline', {}, { template: template({ activeDeadlineSeconds: 5 }) }],
    ['ends', {}, { template: ending() }],
    ['selector', {}, { selector: { matchExpressions: [{ key: 'app', operator: 'In' }] } }],
    ['empty selector', {}, { selector: {} }],
    ['other labels', {}, { selector: { matchLabels: { app: 'b' } } }],
    ['counts', {}, { minReadySeconds: -1, revisionHistoryLimit: -1 }],
    ['strategy', {}, { updateStrategy: { type: 'x' } }],
  ),
  odd(
    replicaSet,
    'a ReplicaSet with anything odd is refused',
    ['deadline', {}, { template: template({ activeDeadlineSeconds: 5 }) }],
    ['selector', {}, { selector: { matchExpressions: [{ key: 'app', operator: 'In' }] } }],
    ['counts', {}, { replicas: -1, minReadySeconds: -1 }],
    ['nothing', {}, { template: null, selector: null }],
  ),
  odd(
    job,
    'a Job with anything odd is refused',
    ['own selector', {}, { selector }],
    ['own selector, by hand', {}, { selector, manualSelector: true }],
    ['other labels', {}, { selector: { matchLabels: { app: 'b' } }, manualSelector: true }],
    ['no selector, by hand', {}, { manualSelector: true }],
    ['own uid', {}, { template: ending({}, { labels: { 'controller-uid': 'x', 'job-name': 'y' } }) }],
    ['managed', {}, { managedBy: 'a b' }],
    ['managed by no domain', {}, { managedBy: 'a' }],
    ['managed by long', {}, { managedBy: `example.com/${'a'.repeat(60)}` }],
    ['managed by one', {}, { managedBy: 'example.com/one' }],
    ['counts', {}, { parallelism: -1, completions: -1, activeDeadlineSeconds: -1, backoffLimit: -1 }],
    ['more counts', {}, { ttlSecondsAfterFinished: -1, backoffLimitPerIndex: -1, maxFailedIndexes: -1 }],
    ['mode', {}, { completionMode: 'x' }],
    ['indexed', {}, { completionMode: 'Indexed' }],
    ['per index', {}, { ...indexed, maxFailedIndexes: 4 }],
    ['many in parallel', {}, { ...indexed, parallelism: 100_001 }],
    ['many indexes', {}, { ...indexed, completions: 200_000, backoffLimitPerIndex: 1 }],
    ['restarts', {}, { template: template() }],
    ['unknown restart', {}, { template: ending({ restartPolicy: 'x' }) }],
    ['replacement', {}, { podReplacementPolicy: 'x' }],
    ['replacement with a policy', {}, { podReplacementPolicy: 'TerminatingOrFailed', ...rules() }],
    ['long index name', { metadata: { name: 'a'.repeat(63) } }, indexed],
  ),
  odd(
    job,
    'rules on how a Job ends are sound',
    ['no action', {}, rules({})],
    ['action', {}, rules({ action: 'x', onPodConditions: [{ type: 'a b', status: 'x' }] })],
    ['no status', {}, rules({ action: 'Ignore', onPodConditions: [{ type: 'a' }] })],
    ['index', {}, rules({ action: 'FailIndex', onPodConditions: [{ type: 'a', status: 'True' }] })],
    ['both', {}, rules({ ...onCodes({ operator: 'In', values: [1] }), onPodConditions: [{ type: 'a' }] })],
    ['no operator', {}, rules(onCodes({ values: [] }))],
    ['operator', {}, rules(onCodes({ operator: 'x', values: [2, 1, 1] }))],
    ['zero', {}, rules(onCodes({ operator: 'In', values: [0], containerName: 'x' }))],
    ['on failure', {}, { ...rules(), template: ending({ restartPolicy: 'OnFailure' }) }],
    ['success', {}, { successPolicy: { rules: [{ succeededCount: 1 }] } }],
    ['success of none', {}, { ...indexed, successPolicy: { rules: [] } }],
    ['success of nothing', {}, { ...indexed, successPolicy: { rules: [{}] } }],
    ['success count', {}, { ...indexed, successPolicy: { rules: [{ succeededCount: 4 }, { succeededCount: -1 }] } }],
    ['success indexes', {}, { ...indexed, successPolicy: { rules: [{ succeededIndexes: '0-1', succeededCount: 3 }] } }],
    [
      'success indexes, unsound',
      {},
      {
        ...indexed,
        successPolicy: {
          rules: ['x', '3', '2-1', '1,0', '0-', '', '0-1-2', '0,0'].map(succeededIndexes => ({ succeededIndexes })),
        },
      },
    ],
    ['success, sound', {}, { ...indexed, successPolicy: { rules: [{ succeededIndexes: '0,2', succeededCount: 1 }] } }],
  ),
  odd(
    cronJob,
    'a schedule that no clock can keep is refused',
    ...['60 * * * *', '* 24 * * *', '* * 0 * *', '* * 32 * *', '* * * 13 *', '* * * * 7', '* * * * sun,MON-fri'].map(
      schedule => [schedule, {}, { schedule }] as const,
    ),
    ...['5-1 * * * *', '*/0 * * * *', '1/2/3 * * * *', '1-2-3 * * * *', 'x * * * *', '-1 * * * *', '* * * jan *'].map(
      schedule => [schedule, {}, { schedule }] as const,
    ),
    ...['*/x * * * *', '1, * * * *', '? ? ? ? ?', '*/70 * * * *', '5/10 * * * *', '* * * *', '1-99 * * * *', ' '].map(
      schedule => [schedule, {}, { schedule }] as const,
    ),
    ...['@hourly', '@every 1h30m', '@every x', '@every -1s', '@x', 'TZ=UTC * * * * *', 'CRON_TZ=x/y * * * * *'].map(
      schedule => [schedule, {}, { schedule }] as const,
    ),
    ...['@every 5', '@every ', '+1 * * * *', '1.5 * * * *', '99999999999999999999 * * * *'].map(
      schedule => [schedule, {}, { schedule }] as const,
    ),
  ),
  odd(
    cronJob,
    'a CronJob with anything odd is refused',
    ['nothing', {}, { schedule: '', jobTemplate: {} }],
    ['policy', {}, { concurrencyPolicy: 'x', startingDeadlineSeconds: -1, failedJobsHistoryLimit: -1 }],
    ['zones', {}, { timeZone: 'x/y' }],
    ['local', {}, { timeZone: 'Local' }],
    ['own selector', {}, { jobTemplate: { spec: { selector, template: ending() } } }],
    ['by hand', {}, { jobTemplate: { spec: { manualSelector: true, template: ending() } } }],
    ['labels', {}, { jobTemplate: { metadata: { labels: { 'a b': 'c' } }, spec: { template: ending() } } }],
    ['long name', { metadata: { name: 'a'.repeat(53) } }],
  ),
];
