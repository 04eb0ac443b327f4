// Whether a toleration tolerates a taint: key, value and effect must fit; an empty key with Exists fits all.

import type { Taint } from '../kube/core/node.ts';
import type { Toleration } from '../kube/core/pod.ts';

export function tolerates(toleration: Toleration, taint: Taint): boolean {
  if (toleration.effect !== undefined && toleration.effect !== '' && toleration.effect !== taint.effect) return false;
  const key = toleration.key ?? '';
  if (key === '') return toleration.operator === 'Exists';
  if (key !== taint.key) return false;
  return toleration.operator === 'Exists' || (toleration.value ?? '') === (taint.value ?? '');
}
