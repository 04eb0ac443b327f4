// What StatefulSets must be: how their Pods follow each other, and which claims each of them gets.

import type { Json, JsonObject } from '../../parts.ts';
import { invalid, required } from '../../schema/field-errors.ts';
import { isObject, objectAt, objectsAt, textAt } from '../json.ts';
import { claimSpecErrors } from './claims.ts';
import { NONE, supportedErrors } from './fields.ts';
import { podTemplateErrors, templateMetaErrors } from './pod-template.ts';
import { canSelect, endlessErrors, ownSelectorErrors, unaskable, unselectedErrors } from './selected-templates.ts';
import { type Errors, labelErrors, nonNegativeErrors } from './texts.ts';

const KEPT = ['Retain', 'Delete'];

export function statefulSetErrors(object: JsonObject): Errors {
  const spec = objectAt(object, 'spec');
  const { selector, serviceName, ordinals } = spec;
  const template = withClaims(spec);
  return [
    ...managementErrors(textAt(spec, 'podManagementPolicy')),
    ...strategyErrors('spec.updateStrategy', objectAt(spec, 'updateStrategy')),
    ...retentionErrors('spec.persistentVolumeClaimRetentionPolicy', spec),
    ...objectsAt(spec, 'volumeClaimTemplates').flatMap((claim, index) =>
      claimSpecErrors(`spec.volumeClaimTemplates[${index}].spec`, objectAt(claim, 'spec')),
    ),
    ...nonNegativeErrors('spec', spec, 'replicas'),
    ...nonNegativeErrors('spec', spec, 'minReadySeconds'),
    ...(isObject(ordinals) ? nonNegativeErrors('spec.ordinals', ordinals, 'start') : NONE),
    ...(typeof serviceName === 'string' && serviceName !== '' ? labelErrors('spec.serviceName', serviceName) : NONE),
    ...ownSelectorErrors('statefulset', spec),
    ...(isObject(selector) && !canSelect(selector)
      ? unaskable(selector, '')
      : [
          ...unselectedErrors(spec),
          ...podTemplateErrors('spec.template', template),
          // Told a second time by the real server.
          ...templateMetaErrors('spec.template', template),
        ]),
    ...endlessErrors(objectAt(spec, 'template'), 'StatefulSet'),
  ];
}

function managementErrors(policy: string): Errors {
  const path = 'spec.podManagementPolicy';
  if (policy === '') return [required(path)];
  const isKnown = policy === 'OrderedReady' || policy === 'Parallel';
  return isKnown ? NONE : [invalid(path, policy, "must be 'OrderedReady' or 'Parallel'")];
}

function strategyErrors(path: string, strategy: JsonObject): Errors {
  const [type, { rollingUpdate = null }] = [textAt(strategy, 'type'), strategy];
  if (type === '') return [required(path)];
  const shown = isObject(rollingUpdate) ? shownRolling(rollingUpdate) : null;
  if (type === 'RollingUpdate') {
    return isObject(rollingUpdate) ? nonNegativeErrors(`${path}.rollingUpdate`, rollingUpdate, 'partition') : NONE;
  }
  if (type === 'OnDelete') {
    const why = "only allowed for updateStrategy 'RollingUpdate'";
    return shown === null ? NONE : [invalid(`${path}.rollingUpdate`, shown, why)];
  }
  return [invalid(path, { Type: type, RollingUpdate: shown }, "must be 'RollingUpdate' or 'OnDelete'")];
}

/** As the real server's own code has it. */
const shownRolling = ({ partition = 0, maxUnavailable = null }: JsonObject): JsonObject => ({
  Partition: partition,
  MaxUnavailable: maxUnavailable,
});

function retentionErrors(path: string, { persistentVolumeClaimRetentionPolicy: policy }: JsonObject): Errors {
  if (!isObject(policy)) return NONE;
  return ['whenDeleted', 'whenScaled'].flatMap(key => supportedErrors(`${path}.${key}`, textAt(policy, key), KEPT));
}

/** Each Pod is named by its set, and finds the volumes of its claims. */
function withClaims({ template, volumeClaimTemplates }: JsonObject): JsonObject {
  if (!isObject(template)) return {};
  const { hostname: _, subdomain: __, ...spec } = objectAt(template, 'spec');
  if (volumeClaimTemplates === undefined) return { ...template, spec };
  const claims = objectsAt({ volumeClaimTemplates }, 'volumeClaimTemplates').map(claim =>
    textAt(objectAt(claim, 'metadata'), 'name'),
  );
  const volumes: readonly Json[] = [
    ...[...new Set(claims)].map(name => ({ name, persistentVolumeClaim: { claimName: name } })),
    ...objectsAt(spec, 'volumes').filter(volume => !claims.includes(textAt(volume, 'name'))),
  ];
  return { ...template, spec: { ...spec, volumes } };
}
