// Writes the tables of built-in kinds (src/apiserver/builtin/tables) from a running kube-apiserver and from the Go
// types behind it. Run again when the pinned version of Kubernetes changes.

import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Access, get } from '../../test/kube/https.ts';
import { startRealKube } from '../../test/kube/real.ts';
import { columnRows } from './table-columns.ts';
import { type DiscoveryList, resourceRows } from './table-resources.ts';
import { roleRows } from './table-roles.ts';
import { type OpenApiDocument, schemaRows } from './table-schemas.ts';
import { type GoShapes, wireRows } from './table-wire.ts';

const TABLES = join(import.meta.dirname, '../../src/apiserver/builtin/tables');
const POLICY = join(import.meta.dirname, '../../src/apiserver/auth/policy');
const DISCOVERY = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

async function main(): Promise<void> {
  const shapes = readShapes();
  await using kube = await startRealKube({ controllers: [] });
  const access = { ca: kube.caPem, token: kube.adminToken };

  const documents = await openApiDocuments(kube.url, access);
  const core = (await getJson(`${kube.url}/api`, access, DISCOVERY)) as DiscoveryList;
  const groups = (await getJson(`${kube.url}/apis`, access, DISCOVERY)) as DiscoveryList;
  const resources = [core, groups].flatMap(list => resourceRows(list, shapes));

  mkdirSync(TABLES, { recursive: true });
  write('resources', listText(resources));
  write('schemas', objectText(schemaRows(documents)));
  write('columns', objectText(await columnRows(kube.url, access, resources)));
  writeFileSync(join(POLICY, 'controller-roles.generated.json'), listText(await roleRows(kube.url, access)));
  const wire = wireRows(shapes, resources);
  write('wire', `{"kinds":${objectText(wire.kinds).trimEnd()},\n"types":${objectText(wire.types).trimEnd()}}\n`);
}

function readShapes(): GoShapes {
  const options = { cwd: join(import.meta.dirname, 'go'), maxBuffer: 64 << 20 };
  return JSON.parse(execFileSync('go', ['run', './shapes'], options).toString()) as GoShapes;
}

async function openApiDocuments(url: string, access: Access): Promise<readonly OpenApiDocument[]> {
  const index = (await getJson(`${url}/openapi/v3`, access)) as {
    paths: Record<string, { serverRelativeURL: string }>;
  };
  const documents: OpenApiDocument[] = [];
  for (const [path, { serverRelativeURL }] of Object.entries(index.paths)) {
    // `apis/apps/v1` and `api/v1`: the others describe no kinds.
    if (!/^(api|apis\/[^/]+)\/v/.test(path)) continue;
    documents.push((await getJson(`${url}${serverRelativeURL}`, access)) as OpenApiDocument);
  }
  return documents;
}

async function getJson(url: string, access: Access, accept?: string): Promise<unknown> {
  const answer = await get(url, access, accept);
  if (answer.status !== 200) throw new Error(`${url}: ${answer.status}`);
  return JSON.parse(answer.body.toString());
}

const listText = (rows: readonly unknown[]): string => `[\n${rows.map(row => JSON.stringify(row)).join(',\n')}\n]\n`;

/** One entry a line: a new version of Kubernetes then shows as a readable difference. */
function objectText(rows: Readonly<Record<string, unknown>>): string {
  const lines = Object.keys(rows)
    .sort()
    .map(key => `${JSON.stringify(key)}:${JSON.stringify(rows[key])}`);
  return `{\n${lines.join(',\n')}\n}\n`;
}

function write(name: string, text: string): void {
  writeFileSync(join(TABLES, `${name}.generated.json`), text);
  console.log(`${name}: ${Math.ceil(text.length / 1024)} KiB`);
}

await main();
