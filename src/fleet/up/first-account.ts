// The first Pod needs the account that its Namespace gets from a controller: a new cluster has it a moment later.

import { type Clock, seconds } from '../../base/clock.ts';
import { defineError } from '../../base/errors.ts';
import type { Api } from '../../kube/api.ts';
import { ServiceAccount } from '../../kube/core/other.ts';

const DEADLINE_MS = seconds(60);
const LOOK_MS = 50;

const noFirstAccount = defineError('PIPPIN_E_NO_FIRST_ACCOUNT', {
  retry: 'never',
  remedy: 'Look at the log for what keeps the controllers from writing, and start again',
  says: () => `The Namespace default still has no ServiceAccount after ${DEADLINE_MS / 1000} s`,
});

/** Resolves once the Namespace `default` takes Pods. */
export async function firstAccount(api: Api, clock: Clock): Promise<void> {
  const deadline = clock.monotonic() + DEADLINE_MS;
  while ((await api.find(ServiceAccount, { namespace: 'default', name: 'default' })) === undefined) {
    if (clock.monotonic() > deadline) throw noFirstAccount();
    await clock.sleep(LOOK_MS);
  }
}
