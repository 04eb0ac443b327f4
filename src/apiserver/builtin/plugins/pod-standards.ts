// The Pod security standards: what `baseline` and `restricted` do not allow, in the words that users know.
// https://kubernetes.io/docs/concepts/security/pod-security-standards/

import type { JsonObject } from '../../parts.ts';
import { listAt, objectAt, objectsAt, textAt } from '../json.ts';

type Check = (spec: JsonObject, containers: readonly JsonObject[]) => string | undefined;

/** What is wrong with a Pod of this level, in the order in which Kubernetes tells it. */
export function violations(level: string, spec: JsonObject): readonly string[] {
  const checks = level === 'baseline' ? BASELINE : level === 'restricted' ? [...BASELINE_KEPT, ...RESTRICTED] : [];
  if (checks.length === 0) return [];
  const containers = ['initContainers', 'containers', 'ephemeralContainers'].flatMap(list => objectsAt(spec, list));
  return checks.flatMap(check => check(spec, containers) ?? []);
}

const security = (holder: JsonObject): JsonObject => objectAt(holder, 'securityContext');

/** `container "a"`, `containers "a", "b"`. */
function named(containers: readonly JsonObject[]): string {
  const names = containers.map(each => JSON.stringify(textAt(each, 'name'))).join(', ');
  return `container${containers.length > 1 ? 's' : ''} ${names}`;
}

const MAY_ADD = new Set(
  'AUDIT_WRITE,CHOWN,DAC_OVERRIDE,FOWNER,FSETID,KILL,MKNOD,NET_BIND_SERVICE,SETFCAP,SETGID,SETPCAP,SETUID,SYS_CHROOT'.split(
    ',',
  ),
);

const capabilities: Check = (_, containers) => {
  const added = (each: JsonObject): readonly string[] =>
    listAt(objectAt(security(each), 'capabilities'), 'add')
      .map(String)
      .filter(name => !MAY_ADD.has(name));
  const bad = containers.filter(each => added(each).length > 0);
  if (bad.length === 0) return undefined;
  const names = [...new Set(bad.flatMap(added))]
    .sort()
    .map(name => JSON.stringify(name))
    .join(', ');
  return `non-default capabilities (${named(bad)} must not include ${names} in securityContext.capabilities.add)`;
};

const hostNamespaces: Check = spec => {
  const on = ['hostNetwork', 'hostPID', 'hostIPC'].filter(key => spec[key] === true);
  return on.length === 0 ? undefined : `host namespaces (${on.map(key => `${key}=true`).join(', ')})`;
};

const hostPaths: Check = spec => {
  const names = objectsAt(spec, 'volumes')
    .filter(volume => volume.hostPath !== undefined)
    .map(volume => JSON.stringify(textAt(volume, 'name')));
  return names.length === 0 ? undefined : `hostPath volumes (volume${names.length > 1 ? 's' : ''} ${names.join(', ')})`;
};

const hostPorts: Check = (_, containers) => {
  const used = (each: JsonObject): readonly string[] =>
    objectsAt(each, 'ports').flatMap(({ hostPort }) =>
      typeof hostPort === 'number' && hostPort > 0 ? [String(hostPort)] : [],
    );
  const bad = containers.filter(each => used(each).length > 0);
  if (bad.length === 0) return undefined;
  const ports = [...new Set(bad.flatMap(used))];
  return `hostPort (${named(bad)} use${bad.length > 1 ? '' : 's'} hostPort${ports.length > 1 ? 's' : ''} ${ports.join(', ')})`;
};

const privileged: Check = (_, containers) => {
  const bad = containers.filter(each => security(each).privileged === true);
  return bad.length === 0 ? undefined : `privileged (${named(bad)} must not set securityContext.privileged=true)`;
};

const escalation: Check = (_, containers) => {
  const bad = containers.filter(each => security(each).allowPrivilegeEscalation !== false);
  if (bad.length === 0) return undefined;
  return `allowPrivilegeEscalation != false (${named(bad)} must set securityContext.allowPrivilegeEscalation=false)`;
};

const allDropped: Check = (_, containers) => {
  const bad = containers.filter(each => !listAt(objectAt(security(each), 'capabilities'), 'drop').includes('ALL'));
  if (bad.length === 0) return undefined;
  return `unrestricted capabilities (${named(bad)} must set securityContext.capabilities.drop=["ALL"])`;
};

const nonRoot: Check = (spec, containers) => {
  const isPod = security(spec).runAsNonRoot === true;
  const bad = containers.filter(each => (security(each).runAsNonRoot ?? isPod) !== true);
  if (bad.length === 0) return undefined;
  return `runAsNonRoot != true (pod or ${named(bad)} must set securityContext.runAsNonRoot=true)`;
};

const rootUser: Check = (spec, containers) => {
  const bad = containers.filter(each => security(each).runAsUser === 0);
  if (security(spec).runAsUser === 0) return 'runAsUser=0 (pod must not set runAsUser=0)';
  return bad.length === 0 ? undefined : `runAsUser=0 (${named(bad)} must not set runAsUser=0)`;
};

const seccomp: Check = (spec, containers) => {
  const type = (holder: JsonObject): string => textAt(objectAt(security(holder), 'seccompProfile'), 'type');
  const bad = containers.filter(each => !['RuntimeDefault', 'Localhost'].includes(type(each) || type(spec)));
  if (bad.length === 0) return undefined;
  return `seccompProfile (pod or ${named(bad)} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")`;
};

const BASELINE: readonly Check[] = [capabilities, hostNamespaces, hostPaths, hostPorts, privileged];
/** Those that no stricter check stands for. */
const BASELINE_KEPT: readonly Check[] = [hostNamespaces, hostPaths, hostPorts, privileged];
const RESTRICTED: readonly Check[] = [escalation, allDropped, nonRoot, rootUser, seccomp];
