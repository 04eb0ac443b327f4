// What a machine has on record about its hosts: the release of one (safe-10) and a clean start on one (safe-11).

import { kubeTime, millisOf } from '../../base/clock.ts';
import { annotationOf, type KubeObject } from '../../kube/object.ts';
import type { Change } from '../../kube/outcome.ts';

/** clusterctl restores no status in the target cluster, so the records are annotations first, status for people. */
export const HOST_RELEASE = 'pippin.dev/host-release';
export const CLEAN_START = 'pippin.dev/clean-start';

/** "Released" means that this is there: the host was seen being wiped, or gone. */
export interface HostRelease {
  /** The providerID of the released host. */
  readonly hostId: string;
  readonly time: string;
  /** What was seen: the cloud's status, `absent`, or another machine's clean start. */
  readonly seen: string;
}

/** The first set-up of a host found no VM of earlier use, or removed them all. */
export interface CleanStart {
  /** The providerID of the host. */
  readonly hostId: string;
  readonly time: string;
}

/** The recorded release on this machine, whatever host it has now. */
export function releaseOf(machine: KubeObject): HostRelease | undefined {
  const record = recordOf(machine, HOST_RELEASE) ?? statusOf(machine).hostRelease;
  return isRelease(record) ? record : undefined;
}

/** The recorded clean start on this machine, whatever host it has now. */
export function cleanStartOf(machine: KubeObject): CleanStart | undefined {
  const record = recordOf(machine, CLEAN_START) ?? statusOf(machine).cleanStart;
  return isCleanStart(record) ? record : undefined;
}

/** Records a release, in one write. */
export function recordRelease(
  hostId: string,
  { seen, atMs }: { readonly seen: string; readonly atMs: number },
): Change {
  const hostRelease: HostRelease = { hostId, time: kubeTime(atMs), seen };
  return { annotations: { [HOST_RELEASE]: JSON.stringify(hostRelease) }, status: { hostRelease } };
}

/** Records a clean start that began at `startedAtMs`: only VMs of before that moment are surely gone. */
export function recordCleanStart(startedAtMs: number, hostId: string): Change {
  const cleanStart: CleanStart = { hostId, time: kubeTime(startedAtMs) };
  return { annotations: { [CLEAN_START]: JSON.stringify(cleanStart) }, status: { cleanStart } };
}

interface Recorded {
  readonly hostRelease?: unknown;
  readonly cleanStart?: unknown;
}

function statusOf(machine: KubeObject): Recorded {
  return (machine as { status?: Recorded }).status ?? {};
}

/** An annotation that cannot be read is no record: the status may still have one, and without any nothing is released. */
function recordOf(machine: KubeObject, annotation: string): unknown {
  const text = annotationOf(machine, annotation);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isCleanStart(record: unknown): record is CleanStart {
  if (typeof record !== 'object' || record === null) return false;
  const { hostId, time } = record as Partial<CleanStart>;
  return typeof hostId === 'string' && typeof time === 'string' && !Number.isNaN(millisOf(time));
}

function isRelease(record: unknown): record is HostRelease {
  return isCleanStart(record) && typeof (record as Partial<HostRelease>).seen === 'string';
}
