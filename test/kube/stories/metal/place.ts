// Where one scenario plays on the real cluster: in a namespace of its own, which it takes for the only one.

import { systemClock } from '../../../../src/adapters/system/clock.ts';
import { minutes, seconds } from '../../../../src/base/clock.ts';
import { BareMetalHost } from '../../../../src/kinds/generated/bare-metal-host.generated.ts';
import { CapiIPAddress } from '../../../../src/kinds/generated/capi-ip-address.generated.ts';
import { Cluster } from '../../../../src/kinds/generated/cluster.generated.ts';
import { IPAddress } from '../../../../src/kinds/generated/ip-address.generated.ts';
import { IPAddressClaim } from '../../../../src/kinds/generated/ip-address-claim.generated.ts';
import { IPClaim } from '../../../../src/kinds/generated/ip-claim.generated.ts';
import { IPPool } from '../../../../src/kinds/generated/ip-pool.generated.ts';
import { Machine } from '../../../../src/kinds/generated/machine.generated.ts';
import { Metal3Cluster } from '../../../../src/kinds/generated/metal3-cluster.generated.ts';
import { Metal3Data } from '../../../../src/kinds/generated/metal3-data.generated.ts';
import { Metal3DataClaim } from '../../../../src/kinds/generated/metal3-data-claim.generated.ts';
import { Metal3DataTemplate } from '../../../../src/kinds/generated/metal3-data-template.generated.ts';
import { Metal3Machine } from '../../../../src/kinds/generated/metal3-machine.generated.ts';
import { Metal3Remediation } from '../../../../src/kinds/generated/metal3-remediation.generated.ts';
import { conditionOf } from '../../../../src/kube/conditions.ts';
import { Namespace, Secret } from '../../../../src/kube/core/other.ts';
import type { Kind } from '../../../../src/kube/kind.ts';
import type { Must, Stage } from '../../../faults/metal/stage.ts';
import type { MetalStoryFleet } from './fleet.ts';
import { inNamespace, viewOfNamespace } from './in-namespace.ts';

const POLL_MS = 50;
/** So long nothing goes that is to stay. */
const MOST_PASSING_MS = seconds(2);

const SEEN: readonly Kind[] = [
  BareMetalHost,
  CapiIPAddress,
  Cluster,
  IPAddress,
  IPAddressClaim,
  IPClaim,
  IPPool,
  Machine,
  Metal3Cluster,
  Metal3Data,
  Metal3DataClaim,
  Metal3DataTemplate,
  Metal3Machine,
  Metal3Remediation,
  Secret,
];

export interface Place {
  readonly stage: Stage;
  readonly must: Must;
}

export async function placeOf(fleet: MetalStoryFleet, id: string): Promise<Place> {
  const { cluster, workloads, hosts } = fleet;
  const namespace = `metal-${id.toLowerCase()}`;
  await cluster.api.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  const view = await viewOfNamespace(cluster.caches, namespace, SEEN);
  const stage: Stage = {
    api: inNamespace(cluster.api, namespace),
    view,
    workloads: { open: key => workloads.open({ ...key, namespace }) },
    hosts: { is: (host, quirks) => hosts.is({ ...host, namespace }, quirks) },
    start: name => fleet.program(name).start(),
    stop: name => void fleet.program(name).stop(),
    crash: name => fleet.program(name).crash(),
    pass: ms => systemClock.sleep(Math.min(ms, MOST_PASSING_MS)),
    left: () => view.left(),
  };
  return { stage, must: mustOf(stage) };
}

function mustOf(stage: Stage): Must {
  return async (what, until, withinMs = minutes(2)) => {
    const startMs = systemClock.monotonic();
    while (!until()) {
      if (systemClock.monotonic() - startMs > withinMs) {
        throw new Error(`not within ${withinMs / 1000} s: ${what}; ${stateOf(stage)}`);
      }
      await systemClock.sleep(POLL_MS);
    }
  };
}

function stateOf({ view, left }: Stage): string {
  const held = [...view.machines(), ...view.claims(), ...view.data()].flatMap(each => {
    const deleting = conditionOf(each, 'Deleting');
    return deleting === undefined
      ? []
      : [`${each.kind} ${each.metadata.name}: ${deleting.reason}: ${deleting.message}`];
  });
  const hosts = view.all(BareMetalHost).map(({ metadata, spec, status }) => {
    const image = spec?.image === undefined ? '' : ' with an image';
    return `${metadata.name} ${status?.provisioning?.state ?? 'new'} of ${spec?.consumerRef?.name ?? 'nobody'}${image}`;
  });
  return [`left: ${left().join(', ') || 'nothing'}`, ...hosts, ...held].join('; ');
}
