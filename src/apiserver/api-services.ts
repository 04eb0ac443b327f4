// An APIService for each group version that is served here: those of the built-in kinds from the start, those of
// definitions as long as they are served.

import type { Core } from './core.ts';
import { createdByServer } from './created-by-server.ts';
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

/** Keeps those of definitions: with their definitions they come and go, whatever anybody does to them. */
export class ApiServices {
  readonly #core: Core;
  readonly #turns: InTurn;
  #isAhead = false;

  constructor(core: Core, turns: InTurn) {
    this.#core = core;
    this.#turns = turns;
    this.follow();
  }

  /** To be called when a definition changed, or an APIService. */
  follow(): void {
    // One look takes in all that changed before it.
    if (this.#isAhead) return;
    this.#isAhead = true;
    this.#turns.next('The APIServices of definitions are not up to date', () => this.#follow());
  }

  async #follow(): Promise<void> {
    this.#isAhead = false;
    const wanted = new Map([...this.#core.registry.customVersions()].map(ofDefinition));
    for (const row of this.#managed()) if (!wanted.has(row.name)) await this.#remove(row);
    for (const object of wanted.values()) await createdByServer(this.#core, object);
  }

  #managed(): readonly Row[] {
    const rows = this.#core.store.range(API_SERVICES)?.rows ?? [];
    return rows.filter(({ object }) => objectAt(objectAt(object, 'metadata'), 'labels')[MANAGED] === 'true');
  }

  async #remove({ storage, namespace, name, revision, object }: Row): Promise<void> {
    await this.#core.store.write({ storage, namespace, name, expected: revision, object, remove: true });
  }
}

function ofDefinition(groupVersion: string): readonly [string, JsonObject] {
  const [group = '', version = ''] = groupVersion.split('/');
  const spec = { group, version, groupPriorityMinimum: 1000, versionPriority: 100 };
  return [`${version}.${group}`, apiService(spec, 'true')];
}
