// A Scaleway client for one key and one project, with a time limit on every call.

import { createAdvancedClient, withHTTPClient, withProfile, withUserAgent } from '@scaleway/sdk-client';
import { type Clock, seconds } from '../../base/clock.ts';
import { defineError } from '../../base/errors.ts';

/** Whose Macs, and with which key. Given by flags or files, never read from SCW_* or ~/.config/scw (safe-24). */
export interface ScalewayAccess {
  readonly accessKey: string;
  readonly secretKey: string;
  readonly projectId: string;
  readonly clock: Clock;
  /** `https://api.scaleway.com` unless told otherwise. */
  readonly apiUrl?: string;
  /** A call without an answer is given up after this long; 30 s unless told otherwise. */
  readonly timeoutMs?: number;
}

/** Says which part is wrong and never what it was: the SDK's own message would quote the secret (safe-20). */
export const badScalewayAccess = defineError('PIPPIN_E_SCALEWAY_ACCESS', {
  retry: 'never',
  remedy: 'Create an API key in the Scaleway console; the access key starts with SCW, secret key and project are UUIDs',
  says: (part: string) => `The Scaleway ${part} is missing or malformed`,
});

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function scalewayClient(access: ScalewayAccess): ReturnType<typeof createAdvancedClient> {
  const { accessKey, secretKey, projectId, clock, apiUrl, timeoutMs = seconds(30) } = access;
  if (!/^SCW[A-Z0-9]{17}$/i.test(accessKey)) throw badScalewayAccess('access key');
  if (!UUID.test(secretKey)) throw badScalewayAccess('secret key');
  if (!UUID.test(projectId)) throw badScalewayAccess('project id');
  const profile = {
    accessKey,
    secretKey,
    defaultProjectId: projectId,
    ...(apiUrl === undefined ? {} : { apiURL: apiUrl }),
  };
  return createAdvancedClient(
    withProfile(profile),
    withUserAgent('pippin'),
    withHTTPClient((input, init) => fetch(input, { ...init, signal: clock.deadline(timeoutMs) })),
  );
}
