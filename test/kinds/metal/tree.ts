// The fields of one version as a tree, so that an object can be built or judged from the top down.

import { type FieldRow, type KindTable, kindTables } from '../../../scripts/metal/table.ts';

export interface Field {
  /** Without its parents' names; the table's whole path is in the row. */
  readonly name: string;
  readonly row: FieldRow;
  /** Members of an object, in the table's order. */
  readonly members: readonly Field[];
  /** What a list holds, or the values of a map. */
  readonly inner?: Field;
}

const ROOT: FieldRow = { path: '', type: 'object', required: true, bounds: {} };

/** The root of one version of a kind: its members are `spec` and `status`. */
export function fieldTree(release: string, kind: string, version: string): Field {
  const rows = tableOf(release, kind).versions.get(version)?.fields;
  if (rows === undefined) throw new Error(`release ${release} has no ${kind} ${version}`);
  return fieldOf(
    ROOT,
    Map.groupBy(rows, ({ path }) => parentOf(path)),
  );
}

export function tableOf(release: string, kind: string): KindTable {
  const table = tables(release).find(each => each.kind === kind);
  if (table === undefined) throw new Error(`release ${release} has no ${kind}`);
  return table;
}

const read = new Map<string, readonly KindTable[]>();

/** Read once: the same tables serve every test. */
export function tables(release: string): readonly KindTable[] {
  const known = read.get(release) ?? kindTables(release);
  read.set(release, known);
  return known;
}

export const groupOf = (kind: string): string =>
  kind.startsWith('Metal3') ? 'infrastructure.cluster.x-k8s.io' : 'ipam.metal3.io';

type Children = ReadonlyMap<string, readonly FieldRow[]>;

function fieldOf(row: FieldRow, children: Children): Field {
  const own = (children.get(row.path) ?? []).map(each => fieldOf(each, children));
  const name = row.path.slice(row.path.lastIndexOf('.') + 1);
  const [first] = own;
  const holds = first !== undefined && /(\[\]|\{\})$/.test(first.row.path);
  return holds ? { name, row, members: [], inner: first } : { name, row, members: own };
}

function parentOf(path: string): string {
  if (/(\[\]|\{\})$/.test(path)) return path.slice(0, -2);
  return path.slice(0, Math.max(0, path.lastIndexOf('.')));
}

/** Every field under this one, itself left out. */
export function allFields(field: Field): readonly Field[] {
  const own = field.inner === undefined ? field.members : [field.inner];
  return own.flatMap(each => [each, ...allFields(each)]);
}
