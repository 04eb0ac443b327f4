// Who may import whom: the arrows of design section 2, for our own folders and for packages.

import { type Finding, fileRule } from '../rule.ts';
import { type Import, isTest, type SourceFile } from '../source.ts';

/** A folder imports only from bands below its own; folders of one band never import each other. */
const BANDS: Readonly<Record<string, number>> = {
  cli: 7,
  fleet: 6,
  adapters: 5,
  mac: 4,
  agent: 4,
  metal: 4,
  ipam: 4,
  builtin: 4,
  deletion: 3,
  apiserver: 3,
  kinds: 2,
  kube: 1,
  base: 0,
};

/** What simulators may know of the program beyond its port types. */
const OPEN_TO_SIM = new Set(['base', 'kube', 'kinds']);

/** Packages that touch the real world, or belong to one concern, have one home. */
const HOMES: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^commander$/, ['cli']],
  [/^(pino|prom-client|@peculiar\/x509|reflect-metadata)$/, ['adapters']],
  [/^(ssh2|@scaleway\/.*)$/, ['adapters', 'sim']],
  [/^(@marcbachmann\/cel-js|re2js)$/, ['apiserver']],
];

export const bands = fileRule('bands', 'a folder imports only from bands below its own', file =>
  file.imports.flatMap(one => {
    const says = one.path === undefined ? packageTrouble(file, one) : folderTrouble(file, one, one.path);
    return says === undefined ? [] : [{ path: file.path, line: one.line, says }];
  }),
);

function packageTrouble(file: SourceFile, { from }: Import): string | undefined {
  const homes = HOMES.find(([name]) => name.test(from))?.[1];
  const here = roomOf(file.path);
  if (homes === undefined || here === undefined || homes.includes(here) || isTest(file)) return undefined;
  return `"${from}" is used only in ${homes.join(', ')}: reach it through a port or an interface of base/`;
}

/** `mac` of `src/mac/machine/adoption.ts`, `sim` of anything under sim/; undefined where nothing is held. */
function roomOf(path: string): string | undefined {
  const [top, folder] = path.split('/');
  if (top === 'sim') return 'sim';
  return top === 'src' ? folder : undefined;
}

function folderTrouble(file: SourceFile, one: Import, target: string): string | undefined {
  const [top, here = ''] = file.path.split('/');
  if (top === 'sim') return simTrouble(file, one, target);
  return top === 'src' ? srcTrouble(file, here, one, target) : undefined;
}

function simTrouble(file: SourceFile, { how }: Import, target: string): string | undefined {
  const [top, there = ''] = target.split('/');
  if (isTest(file) || top === 'sim') return undefined;
  if (top !== 'src') return `sim/ imports ${target}: a double may know only sim/ and src/`;
  if (how === 'type' || OPEN_TO_SIM.has(there) || implementsPort(file)) return undefined;
  return `sim/ imports code of src/${there}: a double may use base, kube and kinds, and only types of others; its in-process.ts may use a port`;
}

/** This face of a double implements a domain's port: the port's errors and answers are part of it. */
const implementsPort = ({ path }: SourceFile): boolean => path.endsWith('/in-process.ts');

function srcTrouble(file: SourceFile, here: string, one: Import, target: string): string | undefined {
  const [top, there = ''] = target.split('/');
  if (top === 'package.json') return undefined;
  if (top !== 'src') return isTest(file) ? undefined : outwardTrouble(here, one, target);
  if (here === there) return undefined;

  const [own, other] = [BANDS[here], BANDS[there]];
  if (own === undefined || other === undefined) {
    return `src/${own === undefined ? here : there} is in no band: put it in design section 2 and in this rule first`;
  }
  if (other < own) return undefined;
  return other === own
    ? `src/${here} imports src/${there}: folders of one band never import each other, they meet in objects of kinds/`
    : `src/${here} imports src/${there}, a band above it: declare a port here and let fleet/ wire the two`;
}

function outwardTrouble(here: string, { how }: Import, target: string): string | undefined {
  const isSim = target.startsWith('sim/');
  if (isSim && how !== 'value' && (here === 'fleet' || here === 'cli')) return undefined;
  return isSim
    ? `src/${here} imports ${target}: doubles are loaded by fleet/ and cli/ only, with a dynamic import`
    : `src/${here} imports ${target}: the program imports nothing from outside src/`;
}

/** What is shipped imports only what is installed with it. */
export function shippedPackages(dependencies: ReadonlySet<string>) {
  return fileRule('shipped-packages', 'src/ imports only packages of `dependencies`', file => {
    if (!file.path.startsWith('src/') || isTest(file)) return [];
    return file.imports.flatMap((one): Finding[] => {
      const name = packageOf(one);
      if (name === undefined || dependencies.has(name)) return [];
      const says = `"${name}" is no dependency: move it from devDependencies, or use it in tests only`;
      return [{ path: file.path, line: one.line, says }];
    });
  });
}

function packageOf({ from, path, how }: Import): string | undefined {
  if (path !== undefined || how === 'type' || from.startsWith('node:')) return undefined;
  return from
    .split('/')
    .slice(0, from.startsWith('@') ? 2 : 1)
    .join('/');
}
