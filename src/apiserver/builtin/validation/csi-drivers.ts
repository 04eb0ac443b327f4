// What drivers of volumes say about themselves.

import type { JsonObject } from '../../parts.ts';
import { duplicate, invalid, notSupported } from '../../schema/field-errors.ts';
import { listAt, numberAt, objectAt, objectsAt, textAt } from '../json.ts';
import { NONE, supportedErrors } from './fields.ts';
import type { Errors } from './texts.ts';

const POLICIES = ['File', 'None', 'ReadWriteOnceWithFSType'];
const MODES = ['Persistent', 'Ephemeral'];
const LEAST_SECONDS = 600;
const MOST_SECONDS = 2 ** 32;
const LEAST_PERIOD_SECONDS = 10;

export function csiDriverErrors(driver: JsonObject): Errors {
  const spec = objectAt(driver, 'spec');
  const { fsGroupPolicy: policy } = spec;
  const period = numberAt(spec, 'nodeAllocatableUpdatePeriodSeconds');
  const [at, why] = ['spec.nodeAllocatableUpdatePeriodSeconds', 'must be greater than or equal to 10 seconds'];
  return [
    ...(policy === undefined ? NONE : supportedErrors('spec.fsGroupPolicy', policy, POLICIES)),
    ...tokenErrors('spec.tokenRequests', objectsAt(spec, 'tokenRequests')),
    ...listAt(spec, 'volumeLifecycleModes').flatMap(mode =>
      MODES.includes(String(mode)) ? NONE : [notSupported('spec.volumeLifecycleModes', mode, MODES)],
    ),
    ...(period !== undefined && period < LEAST_PERIOD_SECONDS ? [invalid(at, period, why)] : NONE),
  ];
}

function tokenErrors(path: string, requests: readonly JsonObject[]): Errors {
  const audiences = requests.map(request => textAt(request, 'audience'));
  return requests.flatMap((request, index) => {
    const [at, audience] = [`${path}[${index}]`, audiences[index] ?? ''];
    if (audiences.indexOf(audience) < index) return [duplicate(`${at}.audience`, audience)];
    const seconds = numberAt(request, 'expirationSeconds') ?? LEAST_SECONDS;
    if (seconds >= LEAST_SECONDS && seconds <= MOST_SECONDS) return NONE;
    const bound = seconds < LEAST_SECONDS ? 'less than 10 minutes' : 'larger than 2^32 seconds';
    return [invalid(`${at}.expirationSeconds`, seconds, `may not specify a duration ${bound}`)];
  });
}
