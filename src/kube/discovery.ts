// Whether a server serves a kind, from what it says of itself; a refusal or an empty answer says nothing (safe-1).

import { defineError } from '../base/errors.ts';
import { apiVersionOf, type Kind } from './kind.ts';
import { askJson, type Caller } from './request.ts';

interface GroupList {
  readonly kind?: string;
  readonly groups?: readonly { readonly name: string; readonly versions: readonly { readonly version: string }[] }[];
}

interface ResourceList {
  readonly kind?: string;
  readonly resources?: readonly { readonly name: string }[];
}

const discoveryUnclear = defineError('PIPPIN_E_DISCOVERY_UNCLEAR', {
  retry: 'backoff',
  remedy: 'Check with `kubectl get --raw` what the path answers; until it is clear, the kind counts as served',
  says: (path: string) => `GET ${path}: the answer is no discovery document`,
});

/** Asks the list of groups first: that one answers 200 whatever is missing, so "not in it" is an answer. */
export async function isServed(caller: Caller, kind: Kind): Promise<boolean> {
  if (kind.group !== '' && !(await hasGroupVersion(caller, kind))) return false;
  const path = kind.group === '' ? `/api/${kind.version}` : `/apis/${apiVersionOf(kind)}`;
  const list: ResourceList = await askJson(caller, { method: 'GET', path });
  if (list.kind !== 'APIResourceList' || list.resources === undefined) throw discoveryUnclear(path);
  return list.resources.some(resource => resource.name === kind.plural);
}

async function hasGroupVersion(caller: Caller, kind: Kind): Promise<boolean> {
  const list: GroupList = await askJson(caller, { method: 'GET', path: '/apis' });
  if (list.kind !== 'APIGroupList' || list.groups === undefined) throw discoveryUnclear('/apis');
  const group = list.groups.find(candidate => candidate.name === kind.group);
  return group?.versions.some(served => served.version === kind.version) ?? false;
}
