// How large a Pod's VM is: limits first, then requests, rounded down so that the host never promises too much (agent-26).

import type { Container } from '../../kube/core/pod.ts';
import type { VmSize } from '../vm-runtime.ts';

const SUFFIXES: Readonly<Record<string, number>> = {
  m: 1e-3,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
};

/** A Kubernetes quantity as a number; undefined when it is none. */
function amountOf(text: string | undefined): number | undefined {
  const match = /^(\d+(?:\.\d+)?)(m|k|M|G|T|Ki|Mi|Gi|Ti)?$/.exec(text ?? '');
  return match === null ? undefined : Number(match[1]) * (SUFFIXES[match[2] ?? ''] ?? 1);
}

export function vmSize({ resources }: Container): VmSize {
  const { limits = {}, requests = {} } = resources ?? {};
  const cpu = Math.floor(amountOf(limits.cpu ?? requests.cpu) ?? 0);
  const memoryMb = Math.floor((amountOf(limits.memory ?? requests.memory) ?? 0) / 2 ** 20);
  return { ...(cpu > 0 ? { cpu } : {}), ...(memoryMb > 0 ? { memoryMb } : {}) };
}
