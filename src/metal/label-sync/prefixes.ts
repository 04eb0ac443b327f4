// Which labels Nodes take over from their hosts: those under the prefixes that an annotation of the Metal3Cluster lists.

import type { Metal3Cluster } from '../../kinds/generated/metal3-cluster.generated.ts';
import { LABEL_SYNC_PREFIXES_ANNOTATION } from '../../kinds/metal-wire.ts';
import { annotationOf } from '../../kube/object.ts';

export interface Prefixes {
  readonly valid: ReadonlySet<string>;
  /** Entries that are no DNS-1123 subdomain: while there is one, nothing is synced, for it may be any of the others misspelt (metal-L1). */
  readonly wrong: readonly string[];
}

/** Undefined: nothing is to be synced. */
export function prefixesOf(metal3Cluster: Metal3Cluster): Prefixes | undefined {
  const text = annotationOf(metal3Cluster, LABEL_SYNC_PREFIXES_ANNOTATION);
  const entries = (text ?? '')
    .split(',')
    .map(entry => entry.trim())
    .filter(entry => entry !== '');
  if (entries.length === 0) return undefined;
  return { valid: new Set(entries.filter(isSubdomain)), wrong: entries.filter(entry => !isSubdomain(entry)) };
}

const LONGEST = 253;
const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const SUBDOMAIN = new RegExp(`^${LABEL}(\\.${LABEL})*$`);

const isSubdomain = (entry: string): boolean => entry.length <= LONGEST && SUBDOMAIN.test(entry);

type Labels = Readonly<Record<string, string>>;

/** What to merge into a Node's labels, so that those under the prefixes are the host's and no others; undefined: nothing. */
export function labelPatch(
  host: Labels,
  node: Labels,
  prefixes: ReadonlySet<string>,
): Readonly<Record<string, string | null>> | undefined {
  const wanted = Object.entries(host).filter(([key]) => isUnder(key, prefixes));
  const stale = Object.keys(node).filter(key => isUnder(key, prefixes) && !Object.hasOwn(host, key));
  const missing = wanted.filter(([key, value]) => node[key] !== value);
  const patch = [...missing, ...stale.map((key): [string, null] => [key, null])];
  return patch.length === 0 ? undefined : Object.fromEntries(patch);
}

/** A label without a prefix is under none. */
function isUnder(key: string, prefixes: ReadonlySet<string>): boolean {
  const slash = key.indexOf('/');
  return slash > 0 && prefixes.has(key.slice(0, slash));
}
