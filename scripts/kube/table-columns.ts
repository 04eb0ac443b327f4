// The rows of the column table: how the real server heads the tables that kubectl prints. One text per column: type,
// format (`-` for none), priority, name.

import { type Access, get } from '../../test/kube/https.ts';
import type { ResourceRow } from './table-resources.ts';

interface Column {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly priority: number;
}

export async function columnRows(
  url: string,
  access: Access,
  resources: readonly ResourceRow[],
): Promise<Readonly<Record<string, readonly string[]>>> {
  const rows: Record<string, readonly string[]> = {};
  for (const { group, version, plural, verbs } of resources) {
    if (!verbs.includes('list')) continue;
    const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
    const answer = await get(`${url}${root}/${plural}`, access, 'application/json;as=Table;v=v1;g=meta.k8s.io');
    const columns = JSON.parse(answer.body.toString()).columnDefinitions as readonly Column[];
    rows[`${group}/${version}/${plural}`] = columns.map(
      ({ name, type, format, priority }) => `${type} ${format === '' ? '-' : format} ${priority} ${name}`,
    );
  }
  return rows;
}
