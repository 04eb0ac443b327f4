// What is stored now, read without a request: for conditions of a run, for its end, and for oracles.

import type { Stored } from '../../../src/apiserver/parts.ts';
import { BareMetalHost } from '../../../src/kinds/generated/bare-metal-host.generated.ts';
import { CapiIPAddress } from '../../../src/kinds/generated/capi-ip-address.generated.ts';
import { IPAddress } from '../../../src/kinds/generated/ip-address.generated.ts';
import { IPAddressClaim } from '../../../src/kinds/generated/ip-address-claim.generated.ts';
import { IPClaim } from '../../../src/kinds/generated/ip-claim.generated.ts';
import { IPPool } from '../../../src/kinds/generated/ip-pool.generated.ts';
import { Metal3Cluster } from '../../../src/kinds/generated/metal3-cluster.generated.ts';
import { Metal3Data } from '../../../src/kinds/generated/metal3-data.generated.ts';
import { Metal3DataClaim } from '../../../src/kinds/generated/metal3-data-claim.generated.ts';
import { Metal3DataTemplate } from '../../../src/kinds/generated/metal3-data-template.generated.ts';
import { Metal3Machine } from '../../../src/kinds/generated/metal3-machine.generated.ts';
import { Metal3Remediation } from '../../../src/kinds/generated/metal3-remediation.generated.ts';
import { METAL3_SECRET_TYPE } from '../../../src/kinds/metal-wire.ts';
import { type Event, Secret } from '../../../src/kube/core/other.ts';
import { type Kind, resourceName } from '../../../src/kube/kind.ts';
import { type KubeObject, keyOf, keyText } from '../../../src/kube/object.ts';
import { NS } from './names.ts';

/** Kinds whose objects a teardown must leave none of. */
const OURS: readonly Kind[] = [
  Metal3Cluster,
  Metal3Machine,
  Metal3DataTemplate,
  Metal3DataClaim,
  Metal3Data,
  Metal3Remediation,
  IPPool,
  IPClaim,
  IPAddress,
  IPAddressClaim,
  CapiIPAddress,
];

export function metalView(stored: Pick<Stored, 'list'>) {
  const all = <T extends KubeObject>(kind: Kind<T>): readonly T[] =>
    stored.list(resourceName(kind)) as readonly unknown[] as T[];
  const one = <T extends KubeObject>(kind: Kind<T>, name: string, namespace = NS): T | undefined =>
    all(kind).find(({ metadata }) => metadata.name === name && metadata.namespace === namespace);
  const renderedSecrets = (): readonly Secret[] => all(Secret).filter(({ type }) => type === METAL3_SECRET_TYPE);
  const texts = (kind: Kind, objects: readonly KubeObject[]): readonly string[] =>
    objects.map(object => `${kind.kind} ${keyText(keyOf(object))}`);
  return {
    all,
    one,
    host: (name: string): BareMetalHost | undefined => one(BareMetalHost, name),
    stateOf: (host: string): string | undefined => one(BareMetalHost, host)?.status?.provisioning?.state,
    data: (): readonly Metal3Data[] => all(Metal3Data),
    claims: (): readonly Metal3DataClaim[] => all(Metal3DataClaim),
    machines: (): readonly Metal3Machine[] => all(Metal3Machine),
    addresses: (): readonly IPAddress[] => all(IPAddress),
    renderedSecrets,
    left: (): readonly string[] =>
      [...OURS.flatMap(kind => texts(kind, all(kind))), ...texts(Secret, renderedSecrets())].sort(),
    /** `reason: message` of the events about an object. */
    eventsOn: (name: string): readonly string[] =>
      (stored.list('events') as readonly unknown[] as Event[])
        .filter(each => each.involvedObject.name === name)
        .map(({ reason, message }) => `${reason}: ${message}`),
  };
}
