// Two things that a volume puts onto one path, or one within the other: which of them is there is chance.

import type { Json, JsonObject } from '../parts.ts';
import { isObject, listAt, objectAt, objectsAt, textAt } from './json.ts';

interface Source {
  /** As it is named: `Secret "a"`. */
  readonly what: string;
  readonly paths: readonly string[];
}

const items = (holder: JsonObject): readonly string[] => objectsAt(holder, 'items').map(item => textAt(item, 'path'));
const path = (holder: JsonObject): readonly string[] => [textAt(holder, 'path')];

type Reader = readonly [
  key: string,
  what: (holder: JsonObject) => string,
  paths: (holder: JsonObject) => readonly string[],
];

const nameless = (what: string) => (): string => what;
const named =
  (what: string, key: string) =>
  (holder: JsonObject): string =>
    `${what} ${JSON.stringify(textAt(holder, key))}`;

const OF_VOLUMES: readonly Reader[] = [
  ['configMap', named('ConfigMap', 'name'), items],
  ['secret', named('Secret', 'secretName'), items],
  ['downwardAPI', nameless('DownwardAPI'), items],
];
const OF_PROJECTIONS: readonly Reader[] = [
  ['configMap', named('ConfigMap', 'name'), items],
  ['secret', named('Secret', 'name'), items],
  ['downwardAPI', nameless('DownwardAPI'), items],
  ['serviceAccountToken', nameless('ServiceAccountToken'), path],
];

export function overlapWarnings(volume: JsonObject): readonly string[] {
  const warned = (what: string, overlaps: readonly string[]): readonly string[] =>
    overlaps.map(
      overlap => `volume ${JSON.stringify(textAt(volume, 'name'))} (${what}): overlapping paths: ${overlap}`,
    );
  if (volume.projected !== undefined) return warned('Projected', inProjection(objectAt(volume, 'projected')));
  const source = sourceIn(volume, OF_VOLUMES);
  return source === undefined ? [] : warned(source.what, within(source.paths));
}

function sourceIn(holder: JsonObject, readers: readonly Reader[]): Source | undefined {
  for (const [key, what, paths] of readers) {
    const found: Json | undefined = holder[key];
    if (isObject(found)) return { what: what(found), paths: paths(found) };
  }
  return undefined;
}

const within = (paths: readonly string[]): readonly string[] =>
  paths.flatMap((one, index) =>
    paths
      .slice(0, index)
      .flatMap(other => (overlap(one, other) ? [`${JSON.stringify(one)} with ${JSON.stringify(other)}`] : [])),
  );

function inProjection(projection: JsonObject): readonly string[] {
  if (listAt(projection, 'sources').length < 2) return [];
  const all = objectsAt(projection, 'sources').flatMap(each => {
    const source = sourceIn(each, OF_PROJECTIONS);
    return source === undefined ? [] : source.paths.map(one => ({ path: one, what: source.what }));
  });
  return all.flatMap((one, index) =>
    all
      .slice(0, index)
      .filter(other => overlap(one.path, other.path))
      .map(other => `${JSON.stringify(one.path)} (${one.what}) with ${JSON.stringify(other.path)} (${other.what})`),
  );
}

const overlap = (one: string, other: string): boolean =>
  one === other || `${one}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${one}/`);
