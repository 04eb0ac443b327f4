// A lease of a rendered Data that was removed by force is made again, and asks for the very address that the host uses.

import { held } from '../../deletion/quiet-controller.ts';
import { IPAddress } from '../../kinds/generated/ip-address.generated.ts';
import { IPClaim } from '../../kinds/generated/ip-claim.generated.ts';
import type { Metal3Data } from '../../kinds/generated/metal3-data.generated.ts';
import { DATA_NAME_LABEL, REQUESTED_ADDRESS_ANNOTATION } from '../../kinds/metal-wire.ts';
import { refTo } from '../../kube/api.ts';
import type { Informer } from '../../kube/cache.ts';
import { conditionOf } from '../../kube/conditions.ts';
import type { KubeWorld } from '../../kube/controller.ts';
import { annotationOf, keyOf, keyText, labelOf, type ObjectKey } from '../../kube/object.ts';
import type { Wait } from '../../kube/outcome.ts';
import { madeOrFound } from './addresses.ts';
import { ipClaimFor, leasesOfDataName, ownerUidOf } from './leases.ts';

const BY_DATA = 'metal.data';

type Cached = Pick<KubeWorld, 'caches'>;

function indexed({ caches }: Cached): Informer<IPAddress> {
  const addresses = caches.of(IPAddress);
  addresses.index(BY_DATA, address => dataKeysOfAddress(address).map(keyText));
  return addresses;
}

/** The Data that an address is for: by the label that it has of its claim, or by the claim's name, `<data>-<pool>`. */
export function dataKeysOfAddress(address: IPAddress): readonly ObjectKey[] {
  const { namespace = '' } = address.metadata;
  const label = labelOf(address, DATA_NAME_LABEL) ?? '';
  const claim = address.spec?.claim?.name ?? '';
  const end = `-${address.spec?.pool?.name ?? ''}`;
  const name = label === '' && claim.endsWith(end) ? claim.slice(0, -end.length) : label;
  return name === '' ? [] : [{ namespace, name }];
}

/** The address manager keeps an address whose claim is lost for a while: until then its object tells which it was. */
export async function restoreLeases(data: Metal3Data, world: KubeWorld): Promise<Wait | undefined> {
  const { namespace = '' } = data.metadata;
  for (const { spec } of indexed(world).by(BY_DATA, keyText(keyOf(data)))) {
    const [name, pool] = [spec?.claim?.name ?? '', spec?.pool?.name ?? ''];
    if (spec === undefined || world.caches.of(IPClaim).get({ namespace, name }) !== undefined) continue;
    const claim = ipClaimFor(data, { name: pool, kind: 'IPPool', apiGroup: IPClaim.group }, { name, labels: {} });
    const annotations = { [REQUESTED_ADDRESS_ANNOTATION]: spec.address };
    await madeOrFound(IPClaim, { ...claim, metadata: { ...claim.metadata, annotations } }, data, world);
  }
  return unrestored(data, world);
}

/** One that was made again and does not get its address: another has it, or its pool gives it out no more. */
function unrestored(data: Metal3Data, world: Cached): Wait | undefined {
  for (const lease of leasesOfDataName(keyOf(data), world)) {
    const { kind, object } = lease;
    const address = annotationOf(object, REQUESTED_ADDRESS_ANNOTATION);
    const ready = conditionOf(object, 'Ready');
    if (address === undefined || ready?.status !== 'False' || ownerUidOf(lease) !== data.metadata.uid) continue;
    const what = `${kind.kind} ${object.metadata.name} to get ${address} again, with which this was rendered: ${ready.message}`;
    return held(refTo(kind, object), 'AddressLost', what);
  }
  return undefined;
}
