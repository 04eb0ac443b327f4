// Which resources are served: the built-in ones from tables, the others from the CRDs that are stored now.

import { sha512Of } from './answer/tag.ts';
import type { Resource } from './parts.ts';

/** What one custom resource definition serves. */
export interface CustomResources {
  readonly resources: readonly Resource[];
  /** While the definition is being deleted nothing new is created. */
  readonly terminating: boolean;
}

/** Versions as Kubernetes prefers them: v2, v1, v1beta2, v1alpha1, then everything else by name. */
export function byVersionPriority(a: string, b: string): number {
  const [rankA, rankB] = [rankOf(a), rankOf(b)];
  if (rankA === undefined || rankB === undefined)
    return rankA === rankB ? (a < b ? -1 : 1) : rankA === undefined ? 1 : -1;
  return rankB.stage - rankA.stage || rankB.major - rankA.major || rankB.minor - rankA.minor;
}

function rankOf(version: string): { stage: number; major: number; minor: number } | undefined {
  const match = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version);
  if (match === null) return undefined;
  const stage = match[2] === undefined ? 2 : match[2] === 'beta' ? 1 : 0;
  return { stage, major: Number(match[1]), minor: Number(match[3] ?? 0) };
}

export class Registry {
  readonly #builtin: readonly Resource[];
  readonly #custom = new Map<string, CustomResources>();
  #byPath = new Map<string, Resource>();
  #groups = new Map<string, readonly string[]>();
  readonly #hashes = new Map<string, string>();
  /** Grows with every change: what is derived from all resources is kept until then. */
  generation = 0;

  constructor(builtin: readonly Resource[]) {
    this.#builtin = builtin;
    this.#rebuild();
  }

  /** Serves what this definition says from now on; undefined: nothing. */
  setCustom(definition: string, served: CustomResources | undefined): void {
    if (served === undefined) this.#custom.delete(definition);
    else this.#custom.set(definition, served);
    this.#rebuild();
  }

  find(group: string, version: string, plural: string): Resource | undefined {
    return this.#byPath.get(`${group}/${version}/${plural}`);
  }

  /** Any served version of what is kept under this name. */
  byStorage(storageName: string): Resource | undefined {
    return this.all().find(resource => resource.storageName === storageName);
  }

  /** The other versions in which the same objects are served. */
  equivalentsOf(resource: Resource, subresource: string): readonly Resource[] {
    return this.all().filter(
      other =>
        other !== resource &&
        other.storageName === resource.storageName &&
        (subresource === '' || other.subresources.includes(subresource)),
    );
  }

  isTerminating(resource: Resource): boolean {
    return resource.origin === 'custom' && (this.#custom.get(resource.storageName)?.terminating ?? false);
  }

  all(): readonly Resource[] {
    return [...this.#byPath.values()];
  }

  get builtin(): readonly Resource[] {
    return this.#builtin;
  }

  /** Whether the group is one of those that every cluster has. */
  isBuiltin(group: string): boolean {
    return this.#builtin.some(resource => resource.group === group);
  }

  /** Group names, each with its versions in order of preference. */
  groups(): ReadonlyMap<string, readonly string[]> {
    return this.#groups;
  }

  of(group: string, version: string): readonly Resource[] {
    return this.all().filter(resource => resource.group === group && resource.version === version);
  }

  /** Changes whenever the resources of this group version do. */
  hashOf(group: string, version: string): string {
    const key = `${group}/${version}`;
    const known = this.#hashes.get(key);
    if (known !== undefined) return known;
    const parts = this.of(group, version).map(({ plural, schema, subresources }) => [plural, schema, subresources]);
    const hash = sha512Of(JSON.stringify(parts));
    this.#hashes.set(key, hash);
    return hash;
  }

  #rebuild(): void {
    this.generation += 1;
    this.#hashes.clear();
    const all = [...this.#builtin, ...[...this.#custom.values()].flatMap(custom => custom.resources)];
    this.#byPath = new Map(all.map(resource => [`${resource.group}/${resource.version}/${resource.plural}`, resource]));
    const groups = new Map<string, string[]>();
    for (const { group, version } of all) {
      const versions = groups.get(group) ?? [];
      if (!versions.includes(version)) versions.push(version);
      groups.set(group, versions);
    }
    this.#groups = new Map([...groups].map(([group, versions]) => [group, versions.sort(byVersionPriority)]));
  }
}
