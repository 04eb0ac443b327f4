// What Deployments, ReplicaSets, StatefulSets, DaemonSets and Jobs get when their author did not say.

import { type Draft, objectAt } from '../json.ts';
import { draftAt, draftIn, draftsAt, fill, fillAbsent } from './fill.ts';
import { defaultTemplate } from './pod.ts';
import { defaultClaimSpec } from './volume.ts';

const QUARTER = '25%';

export function defaultDeployment(deployment: Draft): void {
  const spec = draftIn(deployment, 'spec');
  fillAbsent(spec, 'replicas', 1);
  const strategy = draftIn(spec, 'strategy');
  fill(strategy, 'type', 'RollingUpdate');
  if (strategy.type === 'RollingUpdate') {
    const rolling = draftIn(strategy, 'rollingUpdate');
    fillAbsent(rolling, 'maxUnavailable', QUARTER);
    fillAbsent(rolling, 'maxSurge', QUARTER);
  }
  fillAbsent(spec, 'revisionHistoryLimit', 10);
  fillAbsent(spec, 'progressDeadlineSeconds', 600);
  defaultTemplate(spec);
}

export function defaultReplicaSet(replicaSet: Draft): void {
  const spec = draftIn(replicaSet, 'spec');
  fillAbsent(spec, 'replicas', 1);
  defaultTemplate(spec);
}

/** The old kind takes selector and labels from its template. */
export function defaultReplicationController(controller: Draft): void {
  const spec = draftIn(controller, 'spec');
  const labels = objectAt(objectAt(objectAt(spec, 'template'), 'metadata'), 'labels');
  if (Object.keys(labels).length > 0) {
    fillAbsent(spec, 'selector', { ...labels });
    fillAbsent(draftIn(controller, 'metadata'), 'labels', { ...labels });
  }
  defaultReplicaSet(controller);
}

export function defaultStatefulSet(statefulSet: Draft): void {
  const spec = draftIn(statefulSet, 'spec');
  fill(spec, 'podManagementPolicy', 'OrderedReady');
  const strategy = draftIn(spec, 'updateStrategy');
  fill(strategy, 'type', 'RollingUpdate');
  if (strategy.type === 'RollingUpdate') fillAbsent(draftIn(strategy, 'rollingUpdate'), 'partition', 0);
  const retention = draftIn(spec, 'persistentVolumeClaimRetentionPolicy');
  fill(retention, 'whenDeleted', 'Retain');
  fill(retention, 'whenScaled', 'Retain');
  fillAbsent(spec, 'replicas', 1);
  fillAbsent(spec, 'revisionHistoryLimit', 10);
  for (const claim of draftsAt(spec, 'volumeClaimTemplates')) {
    defaultClaimSpec(draftAt(claim, 'spec'));
    fill(draftIn(claim, 'status'), 'phase', 'Pending');
    fill(claim, 'kind', 'PersistentVolumeClaim');
    fill(claim, 'apiVersion', 'v1');
  }
  defaultTemplate(spec);
}

export function defaultDaemonSet(daemonSet: Draft): void {
  const spec = draftIn(daemonSet, 'spec');
  const strategy = draftIn(spec, 'updateStrategy');
  fill(strategy, 'type', 'RollingUpdate');
  if (strategy.type === 'RollingUpdate') {
    const rolling = draftIn(strategy, 'rollingUpdate');
    fillAbsent(rolling, 'maxUnavailable', 1);
  }
  // Numbers of a structure that is there are never absent.
  const rolling = draftAt(strategy, 'rollingUpdate');
  if (rolling !== undefined) for (const key of ['maxUnavailable', 'maxSurge']) fillAbsent(rolling, key, 0);
  fillAbsent(spec, 'revisionHistoryLimit', 10);
  defaultTemplate(spec);
}

export function defaultJob(job: Draft): void {
  const template = objectAt(objectAt(objectAt(job, 'spec'), 'template'), 'metadata');
  const labels = objectAt(template, 'labels');
  if (Object.keys(labels).length > 0) fillAbsent(draftIn(job, 'metadata'), 'labels', { ...labels });
  defaultJobSpec(draftIn(job, 'spec'));
}

export function defaultCronJob(cronJob: Draft): void {
  const spec = draftIn(cronJob, 'spec');
  fill(spec, 'concurrencyPolicy', 'Allow');
  fillAbsent(spec, 'suspend', false);
  fillAbsent(spec, 'successfulJobsHistoryLimit', 3);
  fillAbsent(spec, 'failedJobsHistoryLimit', 1);
  const jobs = draftAt(draftAt(spec, 'jobTemplate') ?? {}, 'spec');
  if (jobs !== undefined) defaultFailures(jobs);
  defaultTemplate(jobs);
}

/** A condition that is named is one that holds. */
function defaultFailures(spec: Draft): void {
  for (const rule of draftsAt(draftAt(spec, 'podFailurePolicy') ?? {}, 'rules')) {
    for (const condition of draftsAt(rule, 'onPodConditions')) fill(condition, 'status', 'True');
  }
}

function defaultJobSpec(spec: Draft): void {
  const isSingle = (spec.completions ?? null) === null && (spec.parallelism ?? null) === null;
  if (isSingle) spec.completions = 1;
  fillAbsent(spec, 'parallelism', 1);
  // Each index counts its own failures: the whole then hardly ever fails for them.
  fillAbsent(spec, 'backoffLimit', spec.backoffLimitPerIndex === undefined ? 6 : 2_147_483_647);
  fill(spec, 'completionMode', 'NonIndexed');
  fillAbsent(spec, 'suspend', false);
  fill(spec, 'podReplacementPolicy', spec.podFailurePolicy === undefined ? 'TerminatingOrFailed' : 'Failed');
  fillAbsent(spec, 'manualSelector', false);
  defaultFailures(spec);
  defaultTemplate(spec);
}
