// An APIService for each group version that is served here: those of the built-in kinds from the start, those of
// definitions as long as they are served.

import type { Core } from './core.ts';
import { createdByServer, type Making } from './created-by-server.ts';
import type { InTurn } from './in-turn.ts';
import type { JsonObject } from './parts.ts';
import { objectAt } from './rules/json.ts';
import type { Row } from './store.ts';

export const API_SERVICES = 'apiservices.apiregistration.k8s.io';
const MANAGED = 'kube-aggregator.kubernetes.io/automanaged';

/** Which groups the real server looks in first. Of a definition's group it says 1000 and, of the version, 100. */
const PRIORITIES: Readonly<Record<string, number>> = {
  '': 18_000,
  apps: 17_800,
  'events.k8s.io': 17_750,
  'authentication.k8s.io': 17_700,
  'authorization.k8s.io': 17_600,
  autoscaling: 17_500,
  batch: 17_400,
  'certificates.k8s.io': 17_300,
  'networking.k8s.io': 17_200,
  policy: 17_100,
  'rbac.authorization.k8s.io': 17_000,
  'storage.k8s.io': 16_800,
  'admissionregistration.k8s.io': 16_700,
  'apiextensions.k8s.io': 16_700,
  'scheduling.k8s.io': 16_600,
  'coordination.k8s.io': 16_500,
  'node.k8s.io': 16_300,
  'discovery.k8s.io': 16_200,
  'resource.k8s.io': 16_200,
  'flowcontrol.apiserver.k8s.io': 16_100,
};
const VERSION_PRIORITIES: Readonly<Record<string, number>> = {
  '/v1': 1,
  'autoscaling/v2': 30,
  'flowcontrol.apiserver.k8s.io/v1': 21,
  'resource.k8s.io/v1': 21,
};

/** Those that exist from the start. The group of APIServices themselves has none. */
export function standingApiServices({ registry }: Pick<Core, 'registry'>): readonly JsonObject[] {
  const versions = new Set(registry.builtin.map(({ group, version }) => `${group}/${version}`));
  return [...versions].flatMap(groupVersion => {
    const [group = '', version = ''] = groupVersion.split('/');
    const priority = PRIORITIES[group];
    if (priority === undefined) return [];
    const spec = {
      ...(group === '' ? {} : { group }),
      version,
      groupPriorityMinimum: priority,
      versionPriority: VERSION_PRIORITIES[groupVersion] ?? 15,
    };
    return [apiService(spec, 'onstart')];
  });
}

interface Spec {
  readonly group?: string;
  readonly version: string;
  readonly groupPriorityMinimum: number;
  readonly versionPriority: number;
}

const apiService = (spec: Spec, managed: 'onstart' | 'true'): JsonObject => ({
  apiVersion: 'apiregistration.k8s.io/v1',
  kind: 'APIService',
  metadata: { name: `${spec.version}.${spec.group ?? ''}`, labels: { [MANAGED]: managed } },
  spec: { ...spec },
  status: {
    conditions: [
      { type: 'Available', status: 'True', reason: 'Local', message: 'Local APIServices are always available' },
    ],
  },
});

interface Served {
  readonly group: string;
  readonly version: string;
  /** How many definitions serve it. */
  readonly definitions: number;
}

/** Keeps those of definitions: with their definitions they come and go, whatever anybody does to them. */
export class ApiServices {
  readonly #core: Making;
  readonly #turns: InTurn;
  /** What each definition serves: names of APIServices. */
  readonly #byDefinition = new Map<string, readonly string[]>();
  readonly #served = new Map<string, Served>();
  /** Names of those that are to be looked at: only what changed is, however many there are. */
  readonly #due = new Set<string>();

  constructor(core: Making, turns: InTurn) {
    this.#core = core;
    this.#turns = turns;
    for (const { name } of core.store.range(API_SERVICES)?.rows ?? []) this.changed(name);
  }

  /** From now on the definition serves this group in these versions. */
  serves(definition: string, group: string, versions: readonly string[]): void {
    const before = this.#byDefinition.get(definition) ?? [];
    const after = versions.map(version => `${version}.${group}`);
    for (const [index, name] of after.entries()) this.#count(name, { group, version: versions[index] ?? '' }, 1);
    for (const name of before) this.#count(name, { group, version: '' }, -1);
    if (after.length === 0) this.#byDefinition.delete(definition);
    else this.#byDefinition.set(definition, after);
  }

  #count(name: string, { group, version }: Omit<Served, 'definitions'>, more: 1 | -1): void {
    const known = this.#served.get(name) ?? { group, version, definitions: 0 };
    const definitions = known.definitions + more;
    if (definitions === 0) this.#served.delete(name);
    else this.#served.set(name, { ...known, definitions });
    if (definitions === 0 || known.definitions === 0) this.changed(name);
  }

  /** To be called when the APIService of this name changed, too. */
  changed(name: string): void {
    this.#due.add(name);
    // One look takes in all that changed before it.
    if (this.#due.size > 1) return;
    this.#turns.next('The APIServices of definitions are not up to date', () => this.#follow());
  }

  async #follow(): Promise<void> {
    const due = [...this.#due];
    this.#due.clear();
    for (const name of due) await this.#settle(name);
  }

  async #settle(name: string): Promise<void> {
    const served = this.#served.get(name);
    if (served !== undefined) {
      await createdByServer(this.#core, ofDefinition(served));
      return;
    }
    const row = this.#core.store.get({ storage: API_SERVICES, namespace: '', name });
    if (row !== undefined && isManaged(row.object)) await this.#remove(row);
  }

  async #remove({ storage, namespace, name, revision, object }: Row): Promise<void> {
    await this.#core.store.write({ storage, namespace, name, expected: revision, object, remove: true });
  }
}

const isManaged = (object: JsonObject): boolean => objectAt(objectAt(object, 'metadata'), 'labels')[MANAGED] === 'true';

const ofDefinition = ({ group, version }: Served): JsonObject =>
  apiService({ group, version, groupPriorityMinimum: 1000, versionPriority: 100 }, 'true');
