// Which built-in resources are served, as discovery of the real server lists them.

import type { Resource } from '../parts.ts';
import { schemaOf } from './schemas.ts';
import { typeNameOf } from './shapes.ts';
import table from './tables/resources.generated.json' with { type: 'json' };

/** What a subresource answers and allows. */
export interface Subresource {
  readonly name: string;
  /** Of what is sent and answered: `autoscaling/v1` `Scale` for `deployments/scale`. */
  readonly apiVersion: string;
  readonly kind: string;
  readonly verbs: readonly string[];
}

interface Row {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly subresources?: readonly Subresource[];
  readonly type: string;
}

const rows: readonly Row[] = table;

/** Resources that two groups serve are kept once. */
const KEPT_AS: Readonly<Record<string, string>> = { 'events.events.k8s.io': 'events' };

/** In the order of the real server's discovery. */
export const resources: readonly Resource[] = rows.map(row => {
  const apiVersion = row.group === '' ? row.version : `${row.group}/${row.version}`;
  const listKind = typeNameOf(apiVersion, `${row.kind}List`) === undefined ? row.kind : `${row.kind}List`;
  const storageName = row.group === '' ? row.plural : `${row.plural}.${row.group}`;
  return {
    group: row.group,
    version: row.version,
    kind: row.kind,
    listKind,
    plural: row.plural,
    singular: row.singular,
    namespaced: row.namespaced,
    shortNames: row.shortNames ?? [],
    categories: row.categories ?? [],
    subresources: (row.subresources ?? []).map(sub => sub.name),
    verbs: row.verbs,
    storageName: KEPT_AS[storageName] ?? storageName,
    schema: schemaOf(row.type) ?? {},
    origin: 'builtin',
    ...(row.verbs.join() === 'create' ? { virtual: true } : {}),
  };
});

const subresources = new Map(rows.map(row => [`${row.group}/${row.version}/${row.plural}`, row.subresources ?? []]));

/** What discovery says of a built-in resource's subresources. */
export const subresourcesOf = ({ group, version, plural }: Resource): readonly Subresource[] =>
  subresources.get(`${group}/${version}/${plural}`) ?? [];
