// What a kubelet or a controller may say in the status of a Pod: addresses that agree, and nothing that has ended going on.

import { parseAddress } from '../../../base/ip.ts';
import type { FieldError, Json, JsonObject } from '../../parts.ts';
import { forbidden, invalid } from '../../schema/field-errors.ts';
import { countAt } from '../counts.ts';
import { isObject, listAt, objectAt, objectsAt, textAt } from '../json.ts';
import { soundAddressErrors } from './canonical-addresses.ts';
import { claimsErrors, extendedErrors } from './claim-statuses.ts';
import { type Checks, fieldErrors, NONE, ofEach, ofObject } from './fields.ts';
import { type Errors, qualifiedNameErrors, subdomainErrors } from './texts.ts';

const MAX_ID = 2_147_483_647;

/** The Pod that is written, and what its status was. */
interface Told {
  readonly spec: JsonObject;
  readonly status: JsonObject;
  readonly before: JsonObject;
}

const NEVER = 'Never';

const CHECKS: Checks<Told> = [
  ['conditions', ofEach(conditionErrors)],
  ['nominatedNodeName', nominationErrors],
  ['observedGeneration', generationErrors],
  ['qosClass', classErrors],
  ['containerStatuses', (path, _, told) => againErrors(path, told, 'containers', restartOf(told.spec))],
  ['initContainerStatuses', (path, _, told) => againErrors(path, told, 'initContainers', restartOf(told.spec))],
  ['ephemeralContainerStatuses', (path, _, told) => againErrors(path, told, 'ephemeralContainers', NEVER)],
  ['resourceClaimStatuses', claimsErrors],
  ['extendedResourceClaimStatus', ofObject(extendedErrors)],
  ['podIPs', addressesErrors],
  ['hostIPs', hostAddressesErrors],
  ['containerStatuses', ofEach(userErrors)],
  ['initContainerStatuses', ofEach(userErrors)],
  ['ephemeralContainerStatuses', ofEach(userErrors)],
];

export function podStatusErrors(pod: JsonObject, old: JsonObject): Errors {
  const [status, before] = [objectAt(pod, 'status'), objectAt(old, 'status')];
  return fieldErrors(CHECKS, 'status', status, { spec: objectAt(pod, 'spec'), status, before });
}

const restartOf = (spec: JsonObject): string => textAt(spec, 'restartPolicy');

/** Where a Pod would fit is of no interest once it is somewhere. */
function nominationErrors(path: string, value: Json, { spec, before }: Told): Errors {
  const name = String(value);
  if (name === '' || name === textAt(before, 'nominatedNodeName')) return NONE;
  const isBound = textAt(spec, 'nodeName') !== '';
  return [
    ...subdomainErrors(path, name),
    ...(isBound ? [forbidden(path, 'may not be set on pods that are already bound to a node')] : NONE),
  ];
}

function classErrors(path: string, value: Json, { before }: Told): Errors {
  return value === before.qosClass ? NONE : [invalid(path, value, 'field is immutable')];
}

/** Three names are the cluster's own. */
const OWN_CONDITIONS: ReadonlySet<string> = new Set(['PodScheduled', 'Ready', 'Initialized']);

function conditionErrors(path: string, condition: JsonObject): Errors {
  const type = textAt(condition, 'type');
  return [
    ...(condition.observedGeneration === undefined
      ? NONE
      : generationErrors(`${path}.observedGeneration`, condition.observedGeneration)),
    ...(OWN_CONDITIONS.has(type) ? NONE : qualifiedNameErrors(`${path}.Type`, type)),
  ];
}

function generationErrors(path: string, value: Json): Errors {
  return typeof value === 'number' && value < 0 ? [invalid(path, value, 'must be a non-negative integer')] : NONE;
}

/** Who is never started again does not run after its end. */
function againErrors(path: string, { spec, status, before }: Told, list: string, restartPolicy: string): Errors {
  const key = path.slice(path.lastIndexOf('.') + 1);
  const had = objectsAt(before, key);
  if (had.length === 0) return NONE;
  const now = objectsAt(status, key);
  return had.flatMap((each, index) => {
    const { terminated } = objectAt(each, 'state');
    if (!isObject(terminated)) return NONE;
    const name = textAt(each, 'name');
    const container = objectsAt(spec, list).find(other => textAt(other, 'name') === name);
    if (isStartedAgain(container ?? {}, restartPolicy, countAt(terminated, 'exitCode'))) return NONE;
    const goesOn = now.filter(
      other => textAt(other, 'name') === name && !isObject(objectAt(other, 'state').terminated),
    );
    return goesOn.map(() => forbidden(`${path}[${index}].state`, 'may not be transitioned to non-terminated state'));
  });
}

/** A container goes by its own policy before that of the Pod, and by its rules for some codes before both. */
function isStartedAgain(container: JsonObject, ofPod: string, exitCode: number): boolean {
  if (objectsAt(container, 'restartPolicyRules').some(rule => isFor(objectAt(rule, 'exitCodes'), exitCode)))
    return true;
  const policy = textAt(container, 'restartPolicy') || ofPod;
  return policy === 'Always' || (policy === 'OnFailure' && exitCode !== 0);
}

function isFor(codes: JsonObject, exitCode: number): boolean {
  return listAt(codes, 'values').includes(exitCode) === (codes.operator === 'In');
}

function addressesErrors(path: string, value: Json, { before }: Told): Errors {
  const list = objectsAt({ value }, 'value').map(each => textAt(each, 'ip'));
  const had = new Set(objectsAt(before, path.slice(path.lastIndexOf('.') + 1)).map(each => textAt(each, 'ip')));
  const wrong = list.flatMap((ip, index) => (had.has(ip) ? NONE : soundAddressErrors(`${path}[${index}]`, ip)));
  if (wrong.length > 0 || list.length < 2) return wrong;
  const families = list.map(ip => parseAddress(ip)?.family);
  if (list.length === 2 && families[0] !== families[1]) return NONE;
  // Kubernetes shows them as its own code has them.
  const shown = list.map(ip => ({ IP: ip }));
  return [invalid(path, shown, 'may specify no more than one IP for each IP family')];
}

/** Nothing fills in the one address of older clients here. */
function hostAddressesErrors(path: string, value: Json, told: Told): Errors {
  const [first] = objectsAt({ value }, 'value');
  const ip = textAt(first ?? {}, 'ip');
  const isOther = first !== undefined && ip !== textAt(told.status, 'hostIP');
  return [
    ...(isOther ? [invalid(`${path}[0].ip`, ip, 'must be equal to `hostIP`')] : NONE),
    ...addressesErrors(path, value, told),
  ];
}

function userErrors(path: string, container: JsonObject): Errors {
  const { user } = container;
  if (!isObject(user) || !isObject(user.linux)) return NONE;
  const { linux } = user;
  const of = (key: string, id: Json | undefined): readonly FieldError[] =>
    typeof id === 'number' && (id < 0 || id > MAX_ID)
      ? [invalid(`${path}.user.linux.${key}`, id, `must be between 0 and ${MAX_ID}, inclusive`)]
      : NONE;
  return [
    ...of('uid', linux.uid),
    ...of('gid', linux.gid),
    ...listAt(linux, 'supplementalGroups').flatMap((id, index) => of(`supplementalGroups[${index}]`, id)),
  ];
}
