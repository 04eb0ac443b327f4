// Writes the definitions of the Metal3 kinds from upstream's schema tables and our additions; with --check it only says what is stale.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { descriptionsOf, metadataOf, withConditions } from './metal/additions.ts';
import { defaultsOf, rulesOf } from './metal/rules.ts';
import { schemaOfTable } from './metal/schema-of-table.ts';
import { type FieldRow, type KindTable, kindTables, type VersionTable } from './metal/table.ts';

const CRDS = join(import.meta.dirname, '../src/kinds/crds');
const INFRASTRUCTURE = 'infrastructure.cluster.x-k8s.io';
const IPAM = 'ipam.metal3.io';

/** The release whose shapes ours are. It takes what older ones wrote. */
const RELEASE = 'main';

const HEAD = `# Written by scripts/generate-metal-crds.ts from upstream's schema tables (test/kinds/metal/tables) and our additions.
# Changes made here are lost.
`;

/** Objects of an older version are converted by the manager (src/metal/conversion). */
const CONVERSION = {
  strategy: 'Webhook',
  webhook: {
    conversionReviewVersions: ['v1'],
    clientConfig: { service: { namespace: 'pippin-system', name: 'pippin-metal', path: '/convert', port: 443 } },
  },
};

function definitionOf(table: KindTable): object {
  const { kind, plural, shortNames, categories } = table;
  const group = kind.startsWith('Metal3') ? INFRASTRUCTURE : IPAM;
  // The newest first: it is the one that is stored.
  const versions = [...table.versions].sort(([a], [b]) => (a < b ? 1 : -1));
  const names = versions.map(([version]) => version);
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: metadataOf(`${plural}.${group}`, kind, names),
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase(), shortNames, categories },
      ...(names.length > 1 ? { conversion: CONVERSION } : {}),
      versions: versions.map(([name, each]) => ({ ...versionOf(kind, name, each), storage: name === names[0] })),
    },
  };
}

function versionOf(kind: string, name: string, { fields, columns }: VersionTable): object {
  const all = withDefaults(withConditions(kind, fields), defaultsOf(kind, name));
  const extras = { descriptions: descriptionsOf(kind), rules: rulesOf(kind, name) };
  const hasStatus = all.some(({ path }) => path === 'status');
  return {
    name,
    served: true,
    storage: false,
    schema: { openAPIV3Schema: schemaOfTable(all, extras) },
    ...(hasStatus ? { subresources: { status: {} } } : {}),
    ...(columns.length > 0 ? { additionalPrinterColumns: columns } : {}),
  };
}

const withDefaults = (fields: readonly FieldRow[], values: Readonly<Record<string, string | number>>) =>
  fields.map(row => {
    const value = values[row.path];
    return value === undefined ? row : { ...row, bounds: { ...row.bounds, default: value } };
  });

/** `infrastructure.cluster.x-k8s.io_metal3datas.yaml`. */
const fileOf = ({ kind, plural }: KindTable): string =>
  `${kind.startsWith('Metal3') ? INFRASTRUCTURE : IPAM}_${plural}.yaml`;

function main(mode: 'write' | 'check'): number {
  const stale = kindTables(RELEASE)
    .map((table): readonly [string, string] => [fileOf(table), textOf(table)])
    .filter(([file, text]) => {
      const path = join(CRDS, file);
      return !existsSync(path) || readFileSync(path, 'utf8') !== text;
    });
  if (mode === 'check') {
    for (const [file] of stale) console.error(`src/kinds/crds/${file} is stale: run npm run generate`);
    return stale.length === 0 ? 0 : 1;
  }
  for (const [file, text] of stale) writeFileSync(join(CRDS, file), text);
  return 0;
}

const textOf = (table: KindTable): string =>
  HEAD + stringify(definitionOf(table), { lineWidth: 0, aliasDuplicateObjects: false });

process.exitCode = main(process.argv.includes('--check') ? 'check' : 'write');
