// What a request's path asks for: which resource, object and subresource, or which path outside the resources.

/** A path below `/api/v1` or `/apis/<group>/<version>`. */
export interface ResourcePath {
  readonly kind: 'resource';
  readonly group: string;
  readonly version: string;
  readonly namespace: string;
  readonly plural: string;
  readonly name: string;
  readonly subresource: string;
  /** What follows the subresource: `pods/x/proxy/a/b`. */
  readonly rest: string;
  /** The old `/watch/` form of the path. */
  readonly watch: boolean;
}

/** Everything else: discovery, health, OpenAPI. */
export interface OtherPath {
  readonly kind: 'other';
  readonly path: string;
}

/** Subresources of a Namespace, which would otherwise read as resources in it. */
const NAMESPACE_SUBRESOURCES: ReadonlySet<string> = new Set(['status', 'finalize']);

/** Splits a path. Undefined when it cannot be decoded. */
export function parsePath(path: string): ResourcePath | OtherPath | undefined {
  const parts = segments(path);
  if (parts === undefined) return undefined;
  // Nothing is there, as on the real server: it takes no slash for another.
  if (path.startsWith('//') || path.startsWith('/apis//')) return { kind: 'other', path };
  if (parts[0] === 'api' && parts.length > 2) return resource('', parts[1] ?? '', parts.slice(2));
  if (parts[0] === 'apis' && parts.length > 3) return resource(parts[1] ?? '', parts[2] ?? '', parts.slice(3));
  return { kind: 'other', path };
}

function segments(path: string): string[] | undefined {
  const inner = withoutOuterSlashes(path);
  if (inner === '') return [];
  // As the real server: a slash is one, however it is written.
  const decoded = inner.includes('%') ? unescaped(inner) : inner;
  return decoded?.split('/');
}

/** Bytes that are no UTF-8 are read as the sign for what cannot be read. */
function unescaped(text: string): string | undefined {
  if (/%(?![0-9a-fA-F]{2})/.test(text)) return undefined;
  try {
    return decodeURIComponent(text);
  } catch {
    const bytes = Buffer.from(text).toString('latin1');
    const raw = bytes.replace(/%(..)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
    return Buffer.from(raw, 'latin1').toString();
  }
}

/** By hand, because a pattern looks for the end of the path at every slash. */
function withoutOuterSlashes(path: string): string {
  let [start, end] = [0, path.length];
  while (start < end && path[start] === '/') start += 1;
  while (end > start && path[end - 1] === '/') end -= 1;
  return path.slice(start, end);
}

function resource(group: string, version: string, after: readonly string[]): ResourcePath {
  const watch = after[0] === 'watch' && after.length > 1;
  const parts = watch ? after.slice(1) : after;
  const namespaced = parts[0] === 'namespaces' && parts.length > 2 && !NAMESPACE_SUBRESOURCES.has(parts[2] ?? '');
  const [plural = '', name = '', subresource = '', ...rest] = namespaced ? parts.slice(2) : parts;
  return {
    kind: 'resource',
    group,
    version,
    namespace: namespaced ? (parts[1] ?? '') : '',
    plural,
    name,
    subresource,
    rest: rest.join('/'),
    watch,
  };
}

/** The address of an old watch, or proxy, of nothing: the real server breaks at it before it asks who is there. */
export const isOfNothing = ({ plural, name, watch }: ResourcePath): boolean =>
  !watch && name === '' && (plural === 'watch' || plural === 'proxy');

/** Why no object can be at this name; undefined: one can. Names of other mistakes are simply not found. */
export function pathNameProblem(name: string): string | undefined {
  if (name === '.' || name === '..') return `may not be '${name}'`;
  return name.includes('%') ? "may not contain '%'" : undefined;
}
