// Rows of what runs Pods: Deployments and their like, Jobs, budgets.

import { millisOf } from '../../../base/clock.ts';
import { humanDuration } from '../../answer/age.ts';
import type { JsonObject } from '../../parts.ts';
import { numberAt, objectAt, objectsAt, textAt } from '../json.ts';
import {
  age,
  type Cells,
  containerCells,
  countAt,
  hasCondition,
  isDeleting,
  labelsText,
  NONE,
  nameOf,
  orElse,
  selectorCell,
  selectorText,
  sinceAt,
  specOf,
  statusOf,
  templateSpec,
} from './cells.ts';

export const deploymentCells: Cells = (deployment, nowMs) => {
  const [spec, status] = [specOf(deployment), statusOf(deployment)];
  return [
    nameOf(deployment),
    `${countAt(status, 'readyReplicas')}/${countAt(spec, 'replicas')}`,
    countAt(status, 'updatedReplicas'),
    countAt(status, 'availableReplicas'),
    age(deployment, nowMs),
    ...containerCells(templateSpec(spec)),
    selectorText(objectAt(spec, 'selector')),
  ];
};

/** ReplicaSets, and ReplicationControllers, whose selector is a plain map. */
export const replicaSetCells: Cells = (replicaSet, nowMs) => {
  const [spec, status] = [specOf(replicaSet), statusOf(replicaSet)];
  const selector = objectAt(spec, 'selector');
  return [
    nameOf(replicaSet),
    countAt(spec, 'replicas'),
    countAt(status, 'replicas'),
    countAt(status, 'readyReplicas'),
    age(replicaSet, nowMs),
    ...containerCells(templateSpec(spec)),
    replicaSet.kind === 'ReplicationController' ? labelsText(selector) : selectorCell(selector),
  ];
};

export const statefulSetCells: Cells = (statefulSet, nowMs) => {
  const [spec, status] = [specOf(statefulSet), statusOf(statefulSet)];
  return [
    nameOf(statefulSet),
    `${countAt(status, 'readyReplicas')}/${countAt(spec, 'replicas')}`,
    age(statefulSet, nowMs),
    ...containerCells(templateSpec(spec)),
  ];
};

export const daemonSetCells: Cells = (daemonSet, nowMs) => {
  const [spec, status] = [specOf(daemonSet), statusOf(daemonSet)];
  return [
    nameOf(daemonSet),
    countAt(status, 'desiredNumberScheduled'),
    countAt(status, 'currentNumberScheduled'),
    countAt(status, 'numberReady'),
    countAt(status, 'updatedNumberScheduled'),
    countAt(status, 'numberAvailable'),
    labelsText(objectAt(templateSpec(spec), 'nodeSelector')),
    age(daemonSet, nowMs),
    ...containerCells(templateSpec(spec)),
    selectorCell(spec.selector),
  ];
};

export const jobCells: Cells = (job, nowMs) => {
  const spec = specOf(job);
  return [
    nameOf(job),
    jobStatus(job),
    completions(job),
    jobDuration(statusOf(job), nowMs),
    age(job, nowMs),
    ...containerCells(templateSpec(spec)),
    selectorCell(spec.selector),
  ];
};

function jobStatus(job: JsonObject): string {
  if (hasCondition(job, 'Complete')) return 'Complete';
  if (hasCondition(job, 'Failed')) return 'Failed';
  if (isDeleting(job)) return 'Terminating';
  if (hasCondition(job, 'Suspended')) return 'Suspended';
  return ['FailureTarget', 'SuccessCriteriaMet'].find(type => hasCondition(job, type)) ?? 'Running';
}

function completions(job: JsonObject): string {
  const succeeded = countAt(statusOf(job), 'succeeded');
  const wanted = numberAt(specOf(job), 'completions');
  if (wanted !== undefined) return `${succeeded}/${wanted}`;
  const parallelism = countAt(specOf(job), 'parallelism');
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function jobDuration(status: JsonObject, nowMs: number): string {
  const started = millisOf(textAt(status, 'startTime') || undefined);
  if (Number.isNaN(started)) return '';
  const completed = millisOf(textAt(status, 'completionTime') || undefined);
  return humanDuration((Number.isNaN(completed) ? nowMs : completed) - started);
}

export const cronJobCells: Cells = (cronJob, nowMs) => {
  const [spec, status] = [specOf(cronJob), statusOf(cronJob)];
  const jobSpec = objectAt(objectAt(spec, 'jobTemplate'), 'spec');
  return [
    nameOf(cronJob),
    textAt(spec, 'schedule'),
    orElse(textAt(spec, 'timeZone'), NONE),
    spec.suspend === undefined ? '<unset>' : spec.suspend === true ? 'True' : 'False',
    objectsAt(status, 'active').length,
    textAt(status, 'lastScheduleTime') === '' ? NONE : sinceAt(status, 'lastScheduleTime', nowMs),
    age(cronJob, nowMs),
    ...containerCells(templateSpec(jobSpec)),
    selectorCell(jobSpec.selector),
  ];
};

export const podTemplateCells: Cells = podTemplate => {
  const template = objectAt(podTemplate, 'template');
  const labels = labelsText(objectAt(objectAt(template, 'metadata'), 'labels'));
  return [nameOf(podTemplate), ...containerCells(objectAt(template, 'spec')), labels];
};

export const controllerRevisionCells: Cells = (revision, nowMs) => {
  const owners = objectsAt(objectAt(revision, 'metadata'), 'ownerReferences');
  const owner = owners.find(candidate => candidate.controller === true);
  return [nameOf(revision), ownerText(owner), countAt(revision, 'revision'), age(revision, nowMs)];
};

/** `deployment.apps/web`. */
function ownerText(owner: JsonObject | undefined): string {
  if (owner === undefined) return NONE;
  const apiVersion = textAt(owner, 'apiVersion');
  const group = apiVersion.includes('/') ? `.${apiVersion.slice(0, apiVersion.indexOf('/'))}` : '';
  return `${textAt(owner, 'kind').toLowerCase()}${group}/${textAt(owner, 'name')}`;
}

export const budgetCells: Cells = (budget, nowMs) => {
  const spec = specOf(budget);
  return [
    nameOf(budget),
    String(spec.minAvailable ?? 'N/A'),
    String(spec.maxUnavailable ?? 'N/A'),
    countAt(statusOf(budget), 'disruptionsAllowed'),
    age(budget, nowMs),
  ];
};
