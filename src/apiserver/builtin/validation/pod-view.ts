// What the checks of a Pod's parts need to know of the whole.

import type { JsonObject } from '../../parts.ts';
import { numberAt, objectAt, objectsAt, textAt } from '../json.ts';

export interface PodView {
  /** Of the spec. */
  readonly path: string;
  readonly spec: JsonObject;
  /** Templates may leave open what is filled in when a Pod is made of them. */
  readonly of: 'Pod' | 'template';
  readonly volumes: ReadonlyMap<string, JsonObject>;
  /** Names of the resource claims. */
  readonly claims: ReadonlySet<string>;
  readonly graceSeconds: number | undefined;
}

/** A container in its Pod. */
export interface ContainerView {
  readonly pod: PodView;
  readonly container: JsonObject;
  readonly path: string;
}

const NO_VOLUMES: ReadonlyMap<string, JsonObject> = new Map();
const NO_CLAIMS: ReadonlySet<string> = new Set();

export function podView(path: string, spec: JsonObject, of: PodView['of']): PodView {
  return {
    path,
    spec,
    of,
    volumes:
      spec.volumes === undefined
        ? NO_VOLUMES
        : new Map(objectsAt(spec, 'volumes').map(volume => [textAt(volume, 'name'), volume])),
    claims:
      spec.resourceClaims === undefined
        ? NO_CLAIMS
        : new Set(
            objectsAt(spec, 'resourceClaims')
              .map(claim => textAt(claim, 'name'))
              .filter(name => name !== ''),
          ),
    graceSeconds: numberAt(spec, 'terminationGracePeriodSeconds'),
  };
}

const KINDS = ['initContainers', 'containers', 'ephemeralContainers'] as const;

/** All containers with their paths, in the order in which they run. */
export function eachContainer<T>(
  path: string,
  spec: JsonObject,
  visit: (container: JsonObject, path: string) => readonly T[],
): readonly T[] {
  const found: T[] = [];
  for (const kind of KINDS) {
    if (spec[kind] === undefined) continue;
    for (const [index, container] of objectsAt(spec, kind).entries()) {
      found.push(...visit(container, `${path}.${kind}[${index}]`));
    }
  }
  return found;
}

export const securityOf = (holder: JsonObject): JsonObject => objectAt(holder, 'securityContext');

export const hasUsersOfItsOwn = ({ spec }: PodView): boolean => spec.hostUsers === false;
