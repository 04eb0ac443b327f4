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
  return (await servedAmong(caller, [kind])).has(kind);
}

/** Those of the kinds that are served: one question for the groups, and one for each group and version among them. */
export async function servedAmong(caller: Caller, kinds: readonly Kind[]): Promise<ReadonlySet<Kind>> {
  const groups = kinds.some(({ group }) => group !== '') ? await servedGroups(caller) : new Set<string>();
  const possible = kinds.filter(kind => kind.group === '' || groups.has(apiVersionOf(kind)));
  const served = new Set<Kind>();
  for (const version of new Set(possible.map(apiVersionOf))) {
    const plurals = await pluralsOf(caller, version);
    for (const kind of possible) if (apiVersionOf(kind) === version && plurals.has(kind.plural)) served.add(kind);
  }
  return served;
}

/** `group/version` of each. */
async function servedGroups(caller: Caller): Promise<ReadonlySet<string>> {
  const list: GroupList = await askJson(caller, { method: 'GET', path: '/apis' });
  if (list.kind !== 'APIGroupList' || list.groups === undefined) throw discoveryUnclear('/apis');
  return new Set(list.groups.flatMap(({ name, versions }) => versions.map(({ version }) => `${name}/${version}`)));
}

async function pluralsOf(caller: Caller, apiVersion: string): Promise<ReadonlySet<string>> {
  const path = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const list: ResourceList = await askJson(caller, { method: 'GET', path });
  if (list.kind !== 'APIResourceList' || list.resources === undefined) throw discoveryUnclear(path);
  return new Set(list.resources.map(({ name }) => name));
}
