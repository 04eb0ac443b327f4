// What reaches the outside world only through a seam (design section 3): time, chance, disks, sockets, processes.

import { type Finding, fileRule } from '../rule.ts';
import { type Import, isTest, type Node, type Placed, type SourceFile } from '../source.ts';

/** Here the seams are implemented or wired. Of the doubles only the models are pure. */
const isHeld = ({ path }: SourceFile): boolean =>
  (path.startsWith('src/') && !/^src\/(cli|fleet|adapters)\//.test(path)) || /^sim\/.*\bmodel\b.*\.ts$/.test(path);

/** Node's modules that neither wait, draw, read nor write. */
const PURE_MODULES = new Set([
  'buffer',
  'events',
  'path',
  'path/posix',
  'string_decoder',
  'url',
  'util',
  'zlib',
  'crypto',
]);
const TEST_MODULES = new Set(['test', 'assert', 'assert/strict']);

/** Of node:crypto only what gives the same answer twice. */
const DETERMINISTIC_CRYPTO = new Set([
  'createHash',
  'createHmac',
  'createPublicKey',
  'createPrivateKey',
  'createVerify',
  'hash',
  'timingSafeEqual',
  'verify',
  'X509Certificate',
  'KeyObject',
]);

const INSTEAD: Readonly<Record<string, string>> = {
  setTimeout: 'Clock.sleep or Clock.after',
  setInterval: 'Clock.after',
  setImmediate: 'Clock.sleep',
  clearTimeout: 'what Clock.after returns',
  clearInterval: 'what Clock.after returns',
  performance: 'Clock.monotonic',
  crypto: 'Random or Keys',
  fetch: 'a Transport or a port',
  WebSocket: 'a port',
  process: 'a value that fleet/ or cli/ hands in',
  console: 'Log',
  Worker: 'nothing: no worker threads on these paths',
};

export const seams = fileRule('seams', 'the outside world is reached only through seams', file =>
  isHeld(file) ? [...importTrouble(file), ...globalTrouble(file)] : [],
);

function importTrouble(file: SourceFile): Finding[] {
  return file.imports.flatMap(one => {
    const says = one.how === 'type' || !one.from.startsWith('node:') ? undefined : moduleTrouble(file, one);
    return says === undefined ? [] : [{ path: file.path, line: one.line, says }];
  });
}

function moduleTrouble(file: SourceFile, { from, names }: Import): string | undefined {
  const name = from.slice('node:'.length);
  if (isTest(file) && TEST_MODULES.has(name)) return undefined;
  if (!PURE_MODULES.has(name))
    return `${from} is a way around the seams: declare a port here, implement it in adapters/`;
  const drawn = name === 'crypto' ? names.filter(imported => !DETERMINISTIC_CRYPTO.has(imported)) : [];
  return drawn.length === 0 ? undefined : `${drawn.join(', ')} of node:crypto: use Random or Keys, or a port`;
}

function globalTrouble(file: SourceFile): Finding[] {
  const declared = declaredNames(file);
  return file.nodes.flatMap(placed => {
    const says = isReference(placed, declared) ? referenceTrouble(file, placed) : undefined;
    return says === undefined ? [] : [{ path: file.path, line: file.lineAt(placed.node.start), says }];
  });
}

function referenceTrouble(file: SourceFile, { node, parent }: Placed): string | undefined {
  const name = String(node.name);
  const member = parent?.type === 'MemberExpression' ? nameOf(parent.property) : undefined;
  if (name === 'Date') return dateTrouble(file, parent, member);
  if (name === 'Math') return member === 'random' ? 'Math.random: use Random' : undefined;
  if (name === 'AbortSignal') return member === 'timeout' ? 'AbortSignal.timeout: use Clock.deadline' : undefined;
  return name in INSTEAD ? `${name}: use ${INSTEAD[name]}` : undefined;
}

/** Parsing is pure, and one file formats a given instant. */
function dateTrouble(file: SourceFile, parent: Node | undefined, member: string | undefined): string | undefined {
  if (member === 'parse' || member === 'UTC' || parent?.type === 'BinaryExpression') return undefined;
  if (member === 'now') return 'Date.now: use Clock.now';
  const given = Array.isArray(parent?.arguments) && parent.arguments.length > 0;
  if (file.path === 'src/base/clock.ts' && given) return undefined;
  return 'Date: format with kubeTime or kubeMicroTime of base/clock.ts, read with millisOf, ask Clock.now';
}

/** Names that the file itself binds shadow the globals. */
function declaredNames({ nodes, imports }: SourceFile): ReadonlySet<string> {
  const names = new Set(imports.flatMap(one => one.names));
  for (const { node, parent, key } of nodes) {
    const binds = (parent?.type === 'VariableDeclarator' && key === 'id') || key === 'params';
    if (node.type === 'Identifier' && binds) names.add(String(node.name));
  }
  return names;
}

/** An identifier that stands for a value: no property name, no key, no type. */
function isReference({ node, parent, key }: Placed, declared: ReadonlySet<string>): boolean {
  if (node.type !== 'Identifier' || declared.has(String(node.name)) || parent === undefined) return false;
  const isName =
    (key === 'property' && parent.computed === false) ||
    (key === 'key' && parent.computed === false) ||
    key === 'label';
  return !isName && !(parent.type.startsWith('TS') && !parent.type.endsWith('Expression'));
}

function nameOf(node: unknown): string | undefined {
  return typeof node === 'object' && node !== null && 'name' in node ? String(node.name) : undefined;
}
