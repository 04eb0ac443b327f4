// What a Pod must be, by itself and as a template's: field after field, in the order of the real server.

import type { Json, JsonObject } from '../../parts.ts';
import { duplicate, forbidden, invalid } from '../../schema/field-errors.ts';
import { isObject, objectsAt, textAt } from '../json.ts';
import { affinityErrors } from './affinity.ts';
import { containersErrors, ephemeralContainersErrors, initContainersErrors } from './container.ts';
import { fileVolumeErrors } from './environment.ts';
import { type Checks, chosen, fieldErrors, NONE, named, ofEach } from './fields.ts';
import { dnsErrors, hostAliasErrors, hostnameErrors, ownServersErrors } from './names.ts';
import { podResourceErrors } from './pod-resources.ts';
import { eachContainer, type PodView, podView } from './pod-view.ts';
import { hostNetworkErrors } from './ports.ts';
import { podClaimErrors } from './resource-claims.ts';
import { resourceErrors } from './resources.ts';
import { podSecurityErrors } from './security.ts';
import { spreadErrors } from './spread.ts';
import { systemErrors } from './systems.ts';
import { type Errors, labelErrors, labelMapErrors, qualifiedNameErrors, subdomainErrors } from './texts.ts';
import { tolerationErrors } from './tolerations.ts';
import { volumeErrors } from './volumes.ts';
import { hostProcessErrors } from './windows.ts';

const MAX_SECONDS = 2_147_483_647;

/** Some fields are looked at again, where what they mean for others is told. */
const BEFORE_CONTAINERS: Checks<PodView> = [
  ['volumes', (path, _, { spec, of }) => volumeErrors(path, objectsAt(spec, 'volumes'), of)],
  ['resourceClaims', podClaimErrors],
];
const AFTER_CONTAINERS: Checks<PodView> = [
  ['initContainers', (_, __, pod) => initContainersErrors(pod)],
  ['ephemeralContainers', (_, __, pod) => ephemeralContainersErrors(pod)],
  ['resources', podResourceErrors],
  ['hostNetwork', hostNetworkErrors],
  ['restartPolicy', chosen('Always', 'OnFailure', 'Never')],
  ['dnsPolicy', chosen('ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None')],
  ['nodeSelector', (path, labels) => (isObject(labels) ? labelMapErrors(path, labels) : NONE)],
  ['securityContext', podSecurityErrors],
  ['affinity', affinityErrors],
  ['dnsPolicy', ownServersErrors],
  ['dnsConfig', dnsErrors],
  [
    'readinessGates',
    ofEach((path, gate) => qualifiedNameErrors(`${path}.conditionType`, textAt(gate, 'conditionType'))),
  ],
  ['schedulingGates', gateErrors],
  ['topologySpreadConstraints', spreadErrors],
  ['containers', hostProcessErrors],
  ['hostUsers', ownUsersErrors],
  ['hostnameOverride', hostnameErrors],
  ['serviceAccountName', named(subdomainErrors)],
  ['nodeName', named(subdomainErrors)],
  ['activeDeadlineSeconds', deadlineErrors],
  ['hostname', named(labelErrors)],
  ['subdomain', named(labelErrors)],
  ['tolerations', (path, _, { spec }) => tolerationErrors(path, objectsAt(spec, 'tolerations'))],
  ['hostAliases', hostAliasErrors],
  ['priorityClassName', named(subdomainErrors)],
  ['runtimeClassName', (path, name) => subdomainErrors(path, String(name))],
  ['preemptionPolicy', chosen('PreemptLowerPriority', 'Never')],
  ['overhead', (path, limits) => resourceErrors(path, { limits })],
  ['os', systemErrors],
  ['containers', filesErrors],
];

export function podSpecErrors(path: string, spec: JsonObject, of: PodView['of'] = 'template'): Errors {
  const pod = podView(path, spec, of);
  const [before, containers] = [fieldErrors(BEFORE_CONTAINERS, path, spec, pod), containersErrors(pod)];
  const after = fieldErrors(AFTER_CONTAINERS, path, spec, pod);
  return [...before, ...containers, ...after];
}

function gateErrors(path: string, _: Json, { spec }: PodView): Errors {
  const seen = new Set<string>();
  return objectsAt(spec, 'schedulingGates').flatMap((gate, index) => {
    const [at, name] = [`${path}[${index}]`, textAt(gate, 'name')];
    const isTwice = seen.has(name);
    seen.add(name);
    return [...qualifiedNameErrors(at, name), ...(isTwice ? [duplicate(at, name)] : NONE)];
  });
}

/** Who has users of its own shares neither network nor processes nor devices with the host. */
function ownUsersErrors(_: string, value: Json, { path, spec }: PodView): Errors {
  if (value !== false) return NONE;
  const not = (at: string): Errors => [forbidden(at, 'when `hostUsers` is false')];
  return [
    ...(spec.hostNetwork === true ? not(`${path}.hostNetwork`) : NONE),
    ...(spec.hostPID === true ? not(`${path}.HostPID`) : NONE),
    ...(spec.hostIPC === true ? not(`${path}.HostIPC`) : NONE),
    ...eachContainer(path, spec, (container, at) =>
      objectsAt(container, 'volumeDevices').length > 0 ? not(`${at}.volumeDevices`) : NONE,
    ),
  ];
}

function deadlineErrors(path: string, seconds: Json): Errors {
  const isFine = typeof seconds === 'number' && seconds >= 1 && seconds <= MAX_SECONDS;
  return isFine ? NONE : [invalid(path, seconds, `must be between 1 and ${MAX_SECONDS}, inclusive`)];
}

function filesErrors(_: string, __: Json, { path, spec, volumes }: PodView): Errors {
  return eachContainer(path, spec, (container, at) => fileVolumeErrors(at, container, volumes));
}
