// Makes the Data of a Claim under the lowest index that is free: its name is the lock, and a taken one is passed over.

import { Metal3Data } from '../../kinds/generated/metal3-data.generated.ts';
import { Metal3DataClaim } from '../../kinds/generated/metal3-data-claim.generated.ts';
import type { Metal3DataTemplate } from '../../kinds/generated/metal3-data-template.generated.ts';
import {
  METAL3_DATA_CLAIM_FINALIZER,
  METAL3_DATA_FINALIZER,
  metaDataSecretName,
  metal3DataName,
  networkDataSecretName,
} from '../../kinds/metal-wire.ts';
import type { KubeWorld } from '../../kube/controller.ts';
import { isAlreadyExists } from '../../kube/errors.ts';
import { apiVersionOf } from '../../kube/kind.ts';
import { keyOf, type OwnerReference } from '../../kube/object.ts';
import { isOwnedBy, ownerReferenceTo } from '../../kube/owners.ts';
import { indexBook } from '../template/index-book.ts';

/** Names tried in one pass. What is in the way shows in the cache before the next. */
const MOST_TRIES = 50;

export interface Wanted {
  readonly claim: Metal3DataClaim;
  readonly template: Metal3DataTemplate;
  readonly machine: OwnerReference;
  /** The index that the Claim had before its Data was lost. */
  readonly before?: number;
}

/** The Claim's Data; undefined when every name tried was taken by another. */
export async function createData(wanted: Wanted, world: KubeWorld): Promise<Metal3Data | undefined> {
  const { claim, template, before } = wanted;
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const isAgain = tries === 0 && before !== undefined;
    const index = isAgain ? before : indexBook(world).reserve(keyOf(template), keyOf(claim));
    const made = await createAt(index, wanted, world);
    if (made !== undefined) return made;
  }
  return undefined;
}

async function createAt(index: number, wanted: Wanted, { api }: KubeWorld): Promise<Metal3Data | undefined> {
  const data = dataOf(index, wanted);
  try {
    return await api.create(Metal3Data, data);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    const there = await api.find(Metal3Data, keyOf(data));
    return there !== undefined && isOwnedBy(there, Metal3DataClaim, wanted.claim) ? there : undefined;
  }
}

/** With both finalizers from the start (metal-b), and with the names of the secrets that will be rendered. */
function dataOf(index: number, { claim, template, machine }: Wanted): Metal3Data {
  const { namespace = '', labels = {} } = claim.metadata;
  const { metaData, networkData } = template.spec ?? {};
  return {
    apiVersion: apiVersionOf(Metal3Data),
    kind: Metal3Data.kind,
    metadata: {
      name: metal3DataName(template.metadata.name, index),
      namespace,
      labels,
      finalizers: [METAL3_DATA_CLAIM_FINALIZER, METAL3_DATA_FINALIZER],
      ownerReferences: [ownerReferenceTo(Metal3DataClaim, claim, 'controller'), plain(machine)],
    },
    spec: {
      index,
      claim: { name: claim.metadata.name, namespace },
      template: { name: template.metadata.name, namespace },
      ...(metaData === undefined ? {} : { metaData: { name: metaDataSecretName(machine.name), namespace } }),
      ...(networkData === undefined ? {} : { networkData: { name: networkDataSecretName(machine.name), namespace } }),
    },
  };
}

const plain = ({ apiVersion, kind, name, uid }: OwnerReference): OwnerReference => ({ apiVersion, kind, name, uid });
