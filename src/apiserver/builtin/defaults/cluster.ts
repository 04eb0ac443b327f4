// What nodes, volumes, roles, scaling and admission kinds get when their author did not say.

import { type Draft, isObject, listAt, objectAt } from '../json.ts';
import { draftAt, draftIn, draftsAt, fill, fillAbsent } from './fill.ts';
import { defaultClaimSpec } from './volume.ts';
import { defaultSources } from './volume-sources.ts';

const RBAC_GROUP = 'rbac.authorization.k8s.io';

/** What a Node has is what Pods may use of it, unless it says less. */
export function defaultNode(node: Draft): void {
  defaultNetworks(node);
  const status = draftAt(node, 'status');
  const capacity = status === undefined ? {} : objectAt(status, 'capacity');
  if (status !== undefined && Object.keys(capacity).length > 0) fillAbsent(status, 'allocatable', { ...capacity });
}

/** What older clients write is the first of what newer ones do. */
function defaultNetworks(node: Draft): void {
  const spec = draftAt(node, 'spec');
  if (spec === undefined) return;
  const [first] = listAt(spec, 'podCIDRs');
  if (typeof spec.podCIDR === 'string' && spec.podCIDR !== '') fillAbsent(spec, 'podCIDRs', [spec.podCIDR]);
  else if (typeof first === 'string') fillAbsent(spec, 'podCIDR', first);
}

/** What is bounded above is given that, and what is given is asked for. */
export function defaultLimitRange(range: Draft): void {
  for (const limit of draftsAt(draftIn(range, 'spec'), 'limits')) {
    if (limit.type !== 'Container') continue;
    const [max, min] = [objectAt(limit, 'max'), objectAt(limit, 'min')];
    const given = { ...max, ...objectAt(limit, 'default') };
    const asked = { ...min, ...given, ...objectAt(limit, 'defaultRequest') };
    if (Object.keys(given).length > 0) limit.default = given;
    if (Object.keys(asked).length > 0) limit.defaultRequest = asked;
  }
}

export function defaultSecret(secret: Draft): void {
  fill(secret, 'type', 'Opaque');
}

export function defaultVolumeClaim(claim: Draft): void {
  defaultClaimSpec(draftIn(claim, 'spec'));
  fill(draftIn(claim, 'status'), 'phase', 'Pending');
}

export function defaultPersistentVolume(volume: Draft): void {
  const spec = draftIn(volume, 'spec');
  defaultSources(spec);
  fill(spec, 'persistentVolumeReclaimPolicy', 'Retain');
  fill(spec, 'volumeMode', 'Filesystem');
  fill(draftIn(volume, 'status'), 'phase', 'Pending');
}

export function defaultStorageClass(storageClass: Draft): void {
  fillAbsent(storageClass, 'reclaimPolicy', 'Delete');
  fillAbsent(storageClass, 'volumeBindingMode', 'Immediate');
}

export function defaultCsiDriver(driver: Draft): void {
  const spec = draftIn(driver, 'spec');
  const flags = { attachRequired: true, podInfoOnMount: false, storageCapacity: false, requiresRepublish: false };
  for (const [key, value] of Object.entries({ ...flags, seLinuxMount: false })) fillAbsent(spec, key, value);
  fill(spec, 'fsGroupPolicy', 'ReadWriteOnceWithFSType');
  fillAbsent(spec, 'volumeLifecycleModes', ['Persistent']);
}

export function defaultBinding(binding: Draft): void {
  fill(draftIn(binding, 'roleRef'), 'apiGroup', RBAC_GROUP);
  for (const subject of draftsAt(binding, 'subjects')) {
    if (subject.kind === 'User' || subject.kind === 'Group') fill(subject, 'apiGroup', RBAC_GROUP);
  }
}

export function defaultPriorityClass(priorityClass: Draft): void {
  fillAbsent(priorityClass, 'preemptionPolicy', 'PreemptLowerPriority');
}

export function defaultAutoscaler(autoscaler: Draft): void {
  const spec = draftIn(autoscaler, 'spec');
  fillAbsent(spec, 'minReplicas', 1);
  const cpu = { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } };
  if (autoscaler.apiVersion === 'autoscaling/v1') fillAbsent(spec, 'targetCPUUtilizationPercentage', 80);
  else fillAbsent(spec, 'metrics', [{ type: 'Resource', resource: cpu }]);
  if (isObject(spec.behavior)) defaultBehavior(draftIn(spec, 'behavior'));
}

/** As fast up as it can, down when nothing wants it: whoever says something of one gets all of both. */
function defaultBehavior(behavior: Draft): void {
  const [up, down] = [draftIn(behavior, 'scaleUp'), draftIn(behavior, 'scaleDown')];
  const whole = { type: 'Percent', value: 100, periodSeconds: 15 };
  fillAbsent(up, 'stabilizationWindowSeconds', 0);
  fillAbsent(up, 'policies', [{ type: 'Pods', value: 4, periodSeconds: 15 }, whole]);
  fillAbsent(down, 'policies', [whole]);
  for (const rules of [up, down]) fillAbsent(rules, 'selectPolicy', 'Max');
}

export function defaultDefinition(definition: Draft): void {
  const spec = draftIn(definition, 'spec');
  const names = draftIn(spec, 'names');
  const kind = typeof names.kind === 'string' ? names.kind : '';
  fill(names, 'singular', kind.toLowerCase());
  if (kind !== '') fill(names, 'listKind', `${kind}List`);
  const conversion = draftIn(spec, 'conversion');
  fill(conversion, 'strategy', 'None');
  const client = draftAt(draftAt(conversion, 'webhook') ?? {}, 'clientConfig');
  defaultServicePort(client);
}

export function defaultApiService(apiService: Draft): void {
  defaultServicePort(draftAt(apiService, 'spec'));
}

function defaultServicePort(client: Draft | undefined): void {
  const service = client === undefined ? undefined : draftAt(client, 'service');
  if (service !== undefined) fillAbsent(service, 'port', 443);
}

export function defaultWebhooks(configuration: Draft): void {
  for (const webhook of draftsAt(configuration, 'webhooks')) {
    fill(webhook, 'failurePolicy', 'Fail');
    fill(webhook, 'matchPolicy', 'Equivalent');
    fillAbsent(webhook, 'namespaceSelector', {});
    fillAbsent(webhook, 'objectSelector', {});
    fillAbsent(webhook, 'timeoutSeconds', 10);
    if (configuration.kind === 'MutatingWebhookConfiguration') fill(webhook, 'reinvocationPolicy', 'Never');
    for (const rule of draftsAt(webhook, 'rules')) fill(rule, 'scope', '*');
    defaultServicePort(draftAt(webhook, 'clientConfig'));
  }
}

export function defaultAdmissionPolicy(policy: Draft): void {
  const spec = draftIn(policy, 'spec');
  fill(spec, 'failurePolicy', 'Fail');
  defaultMatch(draftAt(spec, 'matchConstraints'));
}

export function defaultPolicyBinding(binding: Draft): void {
  const spec = draftIn(binding, 'spec');
  defaultMatch(draftAt(spec, 'matchResources'));
}

function defaultMatch(match: Draft | undefined): void {
  if (match === undefined) return;
  fill(match, 'matchPolicy', 'Equivalent');
  fillAbsent(match, 'namespaceSelector', {});
  fillAbsent(match, 'objectSelector', {});
  for (const key of ['resourceRules', 'excludeResourceRules']) {
    for (const rule of draftsAt(match, key)) fill(rule, 'scope', '*');
  }
}
