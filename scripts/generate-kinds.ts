// Writes a TypeScript type and a Kind for every CRD in src/kinds/crds; with --check it only says what is stale.

import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { docOf, membersOf, type Schema } from './typescript-of-schema.ts';

interface Version {
  readonly name: string;
  readonly storage: boolean;
  readonly schema: { readonly openAPIV3Schema: Schema };
}

interface Crd {
  readonly spec: {
    readonly group: string;
    readonly scope: 'Namespaced' | 'Cluster';
    readonly names: { readonly kind: string; readonly plural: string };
    readonly versions: readonly Version[];
  };
}

const ROOT = join(import.meta.dirname, '..');
const CRDS = join(ROOT, 'src/kinds/crds');
const GENERATED = join(ROOT, 'src/kinds/generated');
const MARK = '// Generated from src/kinds/crds/';

/** The source text for one CRD: interfaces for the object, its spec and its status, and the Kind. */
export function sourceOf(crdFile: string, crd: Crd): string {
  const { group, names, scope, versions } = crd.spec;
  const version = versions.find(candidate => candidate.storage);
  if (version === undefined) throw new Error(`${crdFile}: no version is the storage version`);
  const { kind, plural } = names;
  const name = typeNameOf(crd);
  const schema = version.schema.openAPIV3Schema;
  const members = Object.entries(schema.properties ?? {}).filter(([member]) => !META.has(member));
  const parts = members.map(([member, part]) => partOf(name, member, part));
  const fields = members.map(([member, part]) => fieldOf(name, member, { part, schema }));
  const body = [
    ...parts,
    `${docOf(schema.description, 0)}export interface ${name} extends KubeObject {\n${fields.join('')}}`,
    kindSource({ name, kind, apiVersion: `${group}/${version.name}`, plural, scope }),
  ].join('\n\n');
  return `${headerOf(crdFile)}\n${importsOf(body)}\n\n${body}\n`;
}

/** Two groups have a kind called IPAddress: the one that is not the provider's own bears its project's name. */
const TYPE_NAMES: Readonly<Record<string, string>> = { 'ipam.cluster.x-k8s.io/IPAddress': 'CapiIPAddress' };

const typeNameOf = ({ spec: { group, names } }: Crd): string => TYPE_NAMES[`${group}/${names.kind}`] ?? names.kind;

/** Kinds that are served and converted, but that no program of ours reads: they need no type. */
const UNREAD: ReadonlySet<string> = new Set(['Metal3ClusterTemplate']);

const META = new Set(['apiVersion', 'kind', 'metadata']);

const headerOf = (crdFile: string): string =>
  `${MARK}${crdFile} by \`npm run generate\`. Changes made here are lost.\n`;

function importsOf(body: string): string {
  const types = body.includes('Condition[]') ? 'Condition, KubeObject' : 'KubeObject';
  return `import { kindOf } from '../../kube/kind.ts';\nimport type { ${types} } from '../../kube/object.ts';`;
}

/** `MachineSpec`, `MachineStatus`: each top-level object of a kind has a name of its own. */
function partOf(kind: string, name: string, part: Schema): string {
  return `${docOf(part.description, 0)}export interface ${partName(kind, name)} ${membersOf(part, 0)}`;
}

function fieldOf(kind: string, name: string, of: { readonly part: Schema; readonly schema: Schema }): string {
  const optional = of.schema.required?.includes(name) === true ? '' : '?';
  return `  readonly ${name}${optional}: ${partName(kind, name)};\n`;
}

const partName = (kind: string, name: string): string => `${kind}${name.charAt(0).toUpperCase()}${name.slice(1)}`;

interface KindNames {
  readonly name: string;
  readonly kind: string;
  readonly apiVersion: string;
  readonly plural: string;
  readonly scope: string;
}

function kindSource(of: KindNames): string {
  const line = `export const ${of.name} = kindOf<${of.name}>('${of.apiVersion}', '${of.kind}', '${of.plural}', '${of.scope}');`;
  if (line.length <= 120) return line;
  const lines = [`'${of.apiVersion}'`, `'${of.kind}'`, `'${of.plural}'`, `'${of.scope}'`];
  return `export const ${of.name} = kindOf<${of.name}>(\n${lines.map(text => `  ${text},\n`).join('')});`;
}

/** `machine-set.generated.ts` for MachineSet. */
export function fileNameOf(kind: string): string {
  const dashed = kind.replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2').replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1-$2');
  return `${dashed.toLowerCase()}.generated.ts`;
}

/** Definitions as they are installed, so that a bundle carries them: by the program that wants them, in the order of files. */
const DEFINITIONS = 'definitions.generated.json';
const METAL_DEFINITIONS = 'metal-definitions.generated.json';
/** Kinds of other projects that Metal3 lives beside: for the embedded API alone, never over the real ones. */
const METAL_STAND_INS = 'metal-stand-ins.generated.json';
const SETS: readonly string[] = [DEFINITIONS, METAL_DEFINITIONS, METAL_STAND_INS];

function setOf({ spec: { group, names } }: Crd): string {
  if (group === 'metal3.io' || group === 'ipam.cluster.x-k8s.io') return METAL_STAND_INS;
  return group === 'ipam.metal3.io' || names.kind.startsWith('Metal3') ? METAL_DEFINITIONS : DEFINITIONS;
}

/** Every file that should exist, by name. */
function wanted(): Map<string, string> {
  const files = new Map<string, string>();
  const definitions: Crd[] = [];
  for (const crdFile of readdirSync(CRDS)
    .filter(file => file.endsWith('.yaml'))
    .sort()) {
    const crd: Crd = parse(readFileSync(join(CRDS, crdFile), 'utf8'));
    const file = fileNameOf(typeNameOf(crd));
    if (files.has(file)) throw new Error(`${crdFile}: another CRD already has the kind ${typeNameOf(crd)}`);
    if (!UNREAD.has(crd.spec.names.kind)) files.set(file, sourceOf(crdFile, crd));
    definitions.push(crd);
  }
  for (const set of SETS) files.set(set, `${JSON.stringify(definitions.filter(crd => setOf(crd) === set))}\n`);
  return files;
}

/** Every file of ours that does exist, by name. Files of other generators are not ours. */
function existing(): Map<string, string> {
  const files = readdirSync(GENERATED).map((file): [string, string] => [
    file,
    readFileSync(join(GENERATED, file), 'utf8'),
  ]);
  return new Map(files.filter(([file, text]) => SETS.includes(file) || text.startsWith(MARK)));
}

/** `check` names what is stale; `write` puts it right. Answers the exit code. */
function main(mode: 'check' | 'write'): number {
  const have = existing();
  const want = wanted();
  const stale = [...want].filter(([file, text]) => have.get(file) !== text).map(([file]) => file);
  const leftOver = [...have.keys()].filter(file => !want.has(file));
  if (mode === 'check') {
    for (const file of [...stale, ...leftOver])
      console.error(`src/kinds/generated/${file} is stale: run npm run generate`);
    return stale.length + leftOver.length === 0 ? 0 : 1;
  }
  for (const file of stale) writeFileSync(join(GENERATED, file), want.get(file) ?? '');
  for (const file of leftOver) rmSync(join(GENERATED, file));
  return 0;
}

if (import.meta.main) process.exitCode = main(process.argv.includes('--check') ? 'check' : 'write');
