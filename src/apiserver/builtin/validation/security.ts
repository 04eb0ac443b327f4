// Who the processes of a Pod and of a container are, and what they may do.

import type { Json, JsonObject } from '../../parts.ts';
import { duplicate, invalid, required } from '../../schema/field-errors.ts';
import { isList, listAt, objectAt, objectsAt, textAt } from '../json.ts';
import { type Check, type Checks, fieldErrors, NONE, ofObject, supportedErrors, within } from './fields.ts';
import { type ContainerView, hasUsersOfItsOwn, type PodView } from './pod-view.ts';
import { appArmorErrors, seccompErrors } from './profiles.ts';
import type { Errors } from './texts.ts';
import { windowsOptionErrors } from './windows.ts';

const MAX_ID = 2_147_483_647;

const idErrors = (path: string, id: Json): Errors =>
  typeof id === 'number' && (id < 0 || id > MAX_ID)
    ? [invalid(path, id, `must be between 0 and ${MAX_ID}, inclusive`)]
    : NONE;

const idListErrors: Check<unknown> = (path, ids) =>
  isList(ids) ? ids.flatMap((id, index) => idErrors(`${path}[${index}]`, id)) : NONE;

const IDS: Checks<unknown> = [
  ['fsGroup', idErrors],
  ['runAsUser', idErrors],
  ['runAsGroup', idErrors],
  ['supplementalGroups', idListErrors],
];

const REST: Checks<PodView> = [
  ['sysctls', sysctlErrors],
  ['fsGroupChangePolicy', within('Always', 'OnRootMismatch')],
  ['seccompProfile', seccompErrors],
  ['windowsOptions', windowsOptionErrors],
  ['appArmorProfile', appArmorErrors],
  ['supplementalGroupsPolicy', within('Merge', 'Strict')],
  ['seLinuxChangePolicy', within('Recursive')],
];

export const podSecurityErrors = ofObject<PodView>((path, context, pod) => [
  ...fieldErrors(IDS, path, context, pod),
  ...sharingErrors(`${path}.shareProcessNamespace`, pod.spec),
  ...fieldErrors(REST, path, context, pod),
]);

function sharingErrors(path: string, { shareProcessNamespace, hostPID }: JsonObject): Errors {
  const isBoth = shareProcessNamespace === true && hostPID === true;
  return isBoth ? [invalid(path, true, 'ShareProcessNamespace and HostPID cannot both be enabled')] : NONE;
}

const SYSCTL_PATTERN = '^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$';
const SYSCTL = new RegExp(SYSCTL_PATTERN);
const MAX_SYSCTL = 253;
/** Those of the host's namespace of messages and shared memory. */
const OF_IPC = /^(kernel\.(sem|shm|shmall|shmmax|shmmni|shm_rmid_forced|msg|msgmax|msgmnb|msgmni)$|fs\.mqueue\.)/;

function sysctlErrors(path: string, sysctls: Json, { spec }: PodView): Errors {
  const seen = new Set<string>();
  return objectsAt({ sysctls }, 'sysctls').flatMap((sysctl, index) => {
    const [at, name] = [`${path}[${index}].name`, textAt(sysctl, 'name')];
    const isTwice = seen.has(name);
    seen.add(name);
    return [...sysctlNameErrors(at, name, isTwice ? [duplicate(at, name)] : NONE), ...hostErrors(at, name, spec)];
  });
}

function sysctlNameErrors(path: string, name: string, otherwise: Errors): Errors {
  if (name === '') return [required(path)];
  const why = `must have at most ${MAX_SYSCTL} characters and match regex ${SYSCTL_PATTERN}`;
  return name.length <= MAX_SYSCTL && SYSCTL.test(name) ? otherwise : [invalid(path, name, why)];
}

/** Pods that share a namespace with the host do not change it. */
function hostErrors(path: string, name: string, { hostNetwork, hostIPC }: JsonObject): Errors {
  const dotted = dottedName(name);
  const why = (of: string): Errors => [invalid(path, name, `may not be specified when '${of}' is true`)];
  if (hostNetwork === true && dotted.startsWith('net.')) return why('hostNetwork');
  return hostIPC === true && OF_IPC.test(dotted) ? why('hostIPC') : NONE;
}

/** Where slashes come first, dots are part of a name. */
function dottedName(name: string): string {
  const first = /[./]/.exec(name)?.[0];
  return first === '/' ? name.replaceAll(/[./]/g, sign => (sign === '/' ? '.' : '/')) : name;
}

const CONTAINER: Checks<ContainerView> = [
  ['runAsUser', idErrors],
  ['runAsGroup', idErrors],
  ['procMount', procErrors],
  ['seccompProfile', seccompErrors],
  ['allowPrivilegeEscalation', escalationErrors],
  ['windowsOptions', windowsOptionErrors],
  ['appArmorProfile', appArmorErrors],
];

export const containerSecurityErrors = ofObject<ContainerView>((path, context, view) =>
  fieldErrors(CONTAINER, path, context, view),
);

function procErrors(path: string, value: Json, { pod }: ContainerView): Errors {
  const isBare = value === 'Unmasked' && !hasUsersOfItsOwn(pod);
  return [
    ...supportedErrors(path, value, ['Default', 'Unmasked']),
    ...(isBare ? [invalid(path, value, '`hostUsers` must be false to use `Unmasked`')] : NONE),
  ];
}

function escalationErrors(path: string, value: Json, { container }: ContainerView): Errors {
  if (value !== false) return NONE;
  const context = objectAt(container, 'securityContext');
  const of = path.slice(0, path.lastIndexOf('.'));
  const refused = (what: string): Errors => [
    invalid(of, shownContext(context), `cannot set \`allowPrivilegeEscalation\` to false and ${what}`),
  ];
  return [
    ...(context.privileged === true ? refused('`privileged` to true') : NONE),
    ...listAt(objectAt(context, 'capabilities'), 'add').flatMap(capability =>
      capability === 'CAP_SYS_ADMIN' ? refused('`capabilities.Add` CAP_SYS_ADMIN') : NONE,
    ),
  ];
}

const SHOWN = [
  'capabilities',
  'privileged',
  'seLinuxOptions',
  'windowsOptions',
  'runAsUser',
  'runAsGroup',
  'runAsNonRoot',
  'readOnlyRootFilesystem',
  'allowPrivilegeEscalation',
  'procMount',
  'seccompProfile',
  'appArmorProfile',
];
const SHOWN_INSIDE: Readonly<Record<string, readonly string[]>> = {
  capabilities: ['add', 'drop'],
  seLinuxOptions: ['user', 'role', 'type', 'level'],
  windowsOptions: ['gmsaCredentialSpecName', 'gmsaCredentialSpec', 'runAsUserName', 'hostProcess'],
  seccompProfile: ['type', 'localhostProfile'],
  appArmorProfile: ['type', 'localhostProfile'],
};

/** Kubernetes shows the context as its own code has it: every field, also those that are not there. */
function shownContext(context: JsonObject): JsonObject {
  return Object.fromEntries(
    SHOWN.map(key => {
      const inside = SHOWN_INSIDE[key];
      if (inside === undefined || context[key] === undefined) return [goName(key), context[key] ?? null];
      const value = objectAt(context, key);
      const missing = key === 'seLinuxOptions' ? '' : null;
      return [goName(key), Object.fromEntries(inside.map(name => [goName(name), value[name] ?? missing]))];
    }),
  );
}

const goName = (key: string): string =>
  key === 'seLinuxOptions'
    ? 'SELinuxOptions'
    : key.startsWith('gmsa')
      ? key.replace('gmsa', 'GMSA')
      : `${key.charAt(0).toUpperCase()}${key.slice(1)}`;
