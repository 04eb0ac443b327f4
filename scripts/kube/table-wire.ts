// The rows of the wire table: how Go writes each type as JSON and as protobuf. One text per field: number, flags, type.

import type { ResourceRow } from './table-resources.ts';

/** What scripts/kube/go/shapes prints. */
export interface GoShapes {
  readonly types: Readonly<Record<string, readonly GoField[]>>;
  /** By group/version/kind. */
  readonly kinds: Readonly<Record<string, string>>;
}

interface GoField {
  readonly name: string;
  readonly type: string;
  readonly number?: string;
  readonly flags?: string;
}

export interface WireTable {
  /** By apiVersion/kind. */
  readonly kinds: Readonly<Record<string, string>>;
  readonly types: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

const TYPE_META = 'io.k8s.apimachinery.pkg.apis.meta.v1.TypeMeta';
/** Asked of `/api` and `/apis`; nothing else of its group version is served. */
const AGGREGATED_DISCOVERY = 'io.k8s.api.apidiscovery.v2.APIGroupDiscoveryList';

/** The kinds of all served group versions, and every type that they reach. */
export function wireRows(shapes: GoShapes, resources: readonly ResourceRow[]): WireTable {
  const served = new Set(resources.map(({ group, version }) => `${group}/${version}`));
  served.add('meta.k8s.io/v1');
  const kinds: Record<string, string> = {};
  for (const [key, type] of Object.entries(shapes.kinds)) {
    const [group = '', version = '', kind = ''] = key.split('/');
    if (served.has(`${group}/${version}`) || type === AGGREGATED_DISCOVERY)
      kinds[group === '' ? `${version}/${kind}` : key] = type;
  }
  // `Scale`, `Eviction` and `TokenRequest` are asked of resources of other groups; their own groups are served too.
  const types: Record<string, Record<string, string>> = {};
  for (const type of Object.values(kinds)) reach(type, shapes, types);
  return { kinds, types };
}

function reach(type: string, shapes: GoShapes, types: Record<string, Record<string, string>>): void {
  if (types[type] !== undefined) return;
  const fields = shapes.types[type];
  if (fields === undefined) throw new Error(`no Go type ${type}`);
  const row: Record<string, string> = {};
  types[type] = row;
  for (const field of fields) {
    if (field.type === TYPE_META) {
      Object.assign(row, { kind: '0 e string', apiVersion: '0 e string' });
      continue;
    }
    const isInline = field.flags?.includes('i') ?? false;
    row[isInline ? `^${field.type}` : field.name] = `${field.number ?? 0} ${field.flags ?? '-'} ${field.type}`;
    const message = field.type.replaceAll(/^(\[\]|\{\}|<>)+/g, '');
    if (message.includes('.')) reach(message, shapes, types);
  }
}
