// Who wrote an object last, and when: what a write by upstream's managers looks like in an object's managedFields.

import { kubeTime, millisOf, minutes } from '../../base/clock.ts';
import type { Kind } from '../../kube/kind.ts';
import { type KubeObject, keyOf, keyText } from '../../kube/object.ts';
import { HALVES, type HalfName } from './halves.ts';

/** Upstream writes something at least every 10 minutes while it works (its resync). */
const QUIET_MS = minutes(15);

export interface UpstreamWrite {
  readonly about: KubeObject;
  /** `Metal3Data metal/template-0`. */
  readonly object: string;
  readonly manager: string;
  readonly atMs: number;
}

interface FieldsEntry {
  readonly manager?: string;
  readonly time?: string;
  readonly subresource?: string;
}

/** Whatever Kubebuilder made is named so unless told otherwise, upstream's older versions too. */
const ANYBODYS = 'manager';

/** Of a name that anybody may have, only a status counts: nobody but their own controllers writes that of these kinds. */
const isUpstreams = (half: HalfName, { manager = '', subresource }: FieldsEntry): boolean =>
  HALVES[half].fieldManagers.includes(manager) || (manager === ANYBODYS && subresource === 'status');

const isOf = (half: HalfName, { group, plural }: Kind): boolean =>
  group === HALVES[half].group && HALVES[half].telling(plural);

/** The last one within the last 15 minutes. A time in the future counts: clocks differ. */
export function recentUpstreamWrite(
  half: HalfName,
  { kind, object, nowMs }: { readonly kind: Kind; readonly object: KubeObject; readonly nowMs: number },
): UpstreamWrite | undefined {
  if (!isOf(half, kind)) return undefined;
  const entries = (object.metadata.managedFields ?? []) as readonly FieldsEntry[];
  let last: UpstreamWrite | undefined;
  for (const entry of entries) {
    if (!isUpstreams(half, entry)) continue;
    const { manager = '', time } = entry;
    const atMs = millisOf(time);
    if (!(nowMs - atMs < QUIET_MS) || (last !== undefined && last.atMs >= atMs)) continue;
    last = { about: object, object: `${kind.kind} ${keyText(keyOf(object))}`, manager, atMs };
  }
  return last;
}

export const laterOf = (one: UpstreamWrite | undefined, other: UpstreamWrite | undefined): UpstreamWrite | undefined =>
  other !== undefined && (one === undefined || other.atMs > one.atMs) ? other : one;

export const writeText = ({ object, manager, atMs }: UpstreamWrite): string =>
  `${object} was written by field manager ${manager} at ${kubeTime(atMs)}`;
