// The first Pod needs the account that its Namespace gets from a controller: a new cluster has it a moment later.

import { seconds } from '../../base/clock.ts';
import { defineError } from '../../base/errors.ts';
import type { KubeWorld } from '../../kube/controller.ts';
import { ServiceAccount } from '../../kube/core/other.ts';

const DEADLINE_MS = seconds(60);
const FIRST = { namespace: 'default', name: 'default' } as const;

const noFirstAccount = defineError('PIPPIN_E_NO_FIRST_ACCOUNT', {
  retry: 'never',
  remedy: 'Look at the log for what keeps the controllers from writing, and start again',
  says: () => `The Namespace default still has no ServiceAccount after ${DEADLINE_MS / 1000} s`,
});

/** Resolves once the Namespace `default` takes Pods. */
export async function firstAccount({ caches, clock }: Pick<KubeWorld, 'caches' | 'clock'>): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const accounts = caches.of(ServiceAccount);
  const look = (): void => {
    if (accounts.get(FIRST) !== undefined) resolve();
  };
  const unfollow = accounts.onChange(look);
  const cancel = clock.after(DEADLINE_MS, () => reject(noFirstAccount()));
  look();
  try {
    await promise;
  } finally {
    unfollow();
    cancel();
  }
}
