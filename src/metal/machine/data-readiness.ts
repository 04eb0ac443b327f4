// The rendered data of a machine: which Metal3Data its claim got, whether its secrets are there, and which they are.

import { Metal3Data } from '../../kinds/generated/metal3-data.generated.ts';
import { Metal3DataClaim } from '../../kinds/generated/metal3-data-claim.generated.ts';
import { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import { refTo } from '../../kube/api.ts';
import type { Caches } from '../../kube/cache.ts';
import type { Step } from '../../kube/controller.ts';
import { isDeleting, keyOf } from '../../kube/object.ts';
import { type Change, done, type Outcome, wait } from '../../kube/outcome.ts';
import { isOwnedBy } from '../../kube/owners.ts';
import type { MetalWorld } from '../world.ts';
import { templateOf } from './meta-data.ts';
import { givenSecret, type SecretRef } from './secret-refs.ts';
import { RECHECK_MS } from './surroundings.ts';

export const DATA_READY = 'Metal3DataReady';
const WAITING = { reason: 'WaitingForMetal3Data' };

export const dataReadiness: Step<Metal3Machine, MetalWorld> = {
  condition: DATA_READY,
  async run(machine, { caches }) {
    if (templateOf(machine) === undefined) return ready('SecretsSetExternally', {});
    const noted = machine.status?.renderedData?.name ?? '';
    if (noted !== '') return whileThere(noted, machine, caches);
    const claim = caches.of(Metal3DataClaim).get(keyOf(machine));
    if (claim === undefined) return noClaim(machine);
    const name = claim.status?.renderedData?.name ?? '';
    if (name === '') return unrendered(claim);
    const data = caches.of(Metal3Data).get({ ...keyOf(machine), name });
    return data === undefined ? noData(machine, name) : judge(data, machine, claim);
  },
};

function ready(reason: string, status: NonNullable<Change['status']>): Outcome {
  return done({ status, conditions: [{ type: DATA_READY, status: 'True', reason, message: '' }] });
}

/** Rendered once: ready as long as it is there. What a host runs with is held by nobody when it is gone. */
function whileThere(name: string, machine: Metal3Machine, caches: Caches): Outcome {
  const data = caches.of(Metal3Data).get({ ...keyOf(machine), name });
  if (data !== undefined) return ready('Metal3DataSecretsReady', {});
  const what = `Metal3Data ${name}, which this machine was made with and which is gone, to be made again`;
  return wait({ kind: Metal3Data, ...keyOf(machine), name }, what, RECHECK_MS, { reason: 'Metal3DataLost' });
}

function noClaim(machine: Metal3Machine): Outcome {
  const key = keyOf(machine);
  return wait({ kind: Metal3DataClaim, ...key }, `Metal3DataClaim ${key.name} to show`, RECHECK_MS, WAITING);
}

function unrendered(claim: Metal3DataClaim): Outcome {
  const error = claim.status?.errorMessage ?? '';
  const what = `Metal3DataClaim ${claim.metadata.name} to get its Metal3Data${error === '' ? '' : `: ${error}`}`;
  return wait(refTo(Metal3DataClaim, claim), what, RECHECK_MS, WAITING);
}

function noData(machine: Metal3Machine, name: string): Outcome {
  return wait({ kind: Metal3Data, ...keyOf(machine), name }, `Metal3Data ${name} to show`, RECHECK_MS, WAITING);
}

/** Data of the same name that an earlier claim got is not this machine's (metal-7.1). */
function judge(data: Metal3Data, machine: Metal3Machine, claim: Metal3DataClaim): Outcome {
  const { name } = data.metadata;
  const on = refTo(Metal3Data, data);
  if (!isOwnedBy(data, Metal3DataClaim, claim) && !isOwnedBy(data, Metal3Machine, machine)) {
    return wait(on, `Metal3Data ${name} of another claim to be gone`, RECHECK_MS, WAITING);
  }
  if (data.status?.ready !== true) {
    const error = data.status?.errorMessage ?? '';
    const why = isDeleting(data) ? ': it is being deleted' : error === '' ? '' : `: ${error}`;
    return wait(on, `Metal3Data ${name} to be ready${why}`, RECHECK_MS, WAITING);
  }
  return ready('Metal3DataSecretsReady', renderedStatus(data, machine));
}

/** Each secret that the spec names wins over the rendered one. */
function renderedStatus(data: Metal3Data, machine: Metal3Machine): NonNullable<Change['status']> {
  const { namespace = '', name } = data.metadata;
  const rendered = (field: 'metaData' | 'networkData'): { [key: string]: SecretRef } => {
    const secret = data.spec?.[field]?.name ?? '';
    const ref = givenSecret(machine, field) ?? (secret === '' ? undefined : { name: secret, namespace });
    return ref === undefined ? {} : { [field]: ref };
  };
  return { renderedData: { name, namespace }, ...rendered('metaData'), ...rendered('networkData') };
}
