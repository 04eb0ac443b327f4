// `pippin manager`: the chosen controllers against any cluster. Each half leads by a lease of its own (metal-P1).

import { httpTransport } from '../adapters/http/client.ts';
import { serveStatus } from '../adapters/http/status-server.ts';
import { type ScrapedMetrics, systemMetrics } from '../adapters/system/metrics.ts';
import type { Clock } from '../base/clock.ts';
import type { CertificateReader, Keys } from '../base/keys.ts';
import type { Log } from '../base/log.ts';
import type { Random } from '../base/random.ts';
import type { IpamSettings } from '../ipam/world.ts';
import type { ClusterAccess } from '../kube/cluster-access.ts';
import { Election } from '../kube/leader.ts';
import type { LeaderGate } from '../kube/leader-gate.ts';
import type { Transport } from '../kube/transport.ts';
import type { MetalSettings } from '../metal/world.ts';
import { type ClusterChoice, clusterAccess } from './cluster-access.ts';
import { dialled, type Half, withClusterApi } from './cluster-api-beside.ts';
import type { Program } from './controllers.ts';
import { type MacSetup, macHalf } from './mac-provider.ts';
import { ipamManager, metalManager } from './metal.ts';
import { metalEndpoint } from './metal-endpoint/endpoint.ts';
import type { Scope } from './scope.ts';
import { ControllerStates } from './served/controller-states.ts';
import { HALVES } from './takeover/halves.ts';
import { type ToldLease, UpstreamSight, whileOurs } from './takeover/while-ours.ts';
import { together } from './together.ts';
import { openWorld } from './world.ts';

/** Which halves run, and what each needs; what is left out does not run here. */
export interface ManagerHalves {
  readonly mac?: MacSetup;
  readonly metal?: MetalSettings;
  readonly ipam?: IpamSettings;
}

export interface ManagerSeams {
  readonly clock: Clock;
  readonly random: Random;
  readonly keys: Keys & CertificateReader;
  readonly log: Log;
}

export interface ManagerSetup extends ManagerSeams {
  readonly cluster: Pick<ClusterChoice, 'kubeconfig' | 'context' | 'env'>;
  readonly halves: ManagerHalves;
  /** What of the cluster Metal3 and its address manager look after. */
  readonly scope: Scope;
  /** Our subset of Cluster API core, where Cluster API itself does not run. */
  readonly clusterApi: 'ours' | 'elsewhere';
  /** Where the leases are. */
  readonly election: { readonly namespace: string } | 'off';
  /** `host:port` of health, and of metrics. */
  readonly healthAddress: string;
  readonly metricsAddress: string;
  /** `host:port` of Metal3's conversion and admission, which every replica serves; left out: not served here. */
  readonly webhookAddress?: string;
}

/** Runs until the signal aborts. Throws when the cluster, the cloud or a file cannot be used. */
export async function runManager(setup: ManagerSetup, signal: AbortSignal): Promise<void> {
  const { clock } = setup;
  const access = await clusterAccess({ ...setup.cluster, clock });
  const metrics = systemMetrics();
  const states = new ControllerStates(metrics);
  const halves = await halvesOf(setup, access, states);
  const shown = { scrape: metrics.scrape, isReady: () => !signal.aborted, controllers: () => states.page() };
  const health = await serveStatus({ ...shown, address: setup.healthAddress });
  try {
    const told = await serveStatus({ ...shown, address: setup.metricsAddress });
    const led = { ...setup, transport: httpTransport(access), metrics, states };
    const programs = [...halves.map(half => leading(half, led)), ...endpointOf(led)];
    await together(programs)(signal).finally(() => told.close());
  } finally {
    await health.close();
  }
}

const COMPONENT = 'pippin-manager';

async function halvesOf(
  setup: ManagerSetup,
  access: ClusterAccess,
  states: ControllerStates,
): Promise<readonly Half[]> {
  const { halves, scope } = setup;
  const { mac, metal: settings, ipam } = halves;
  const all: Half[] = [];
  if (mac !== undefined) all.push(await macHalf({ ...setup, ...mac, access, component: COMPONENT }));
  if (settings !== undefined) {
    all.push({
      lease: HALVES.metal.lease,
      movesOver: 'metal',
      programs: (world, gate, reach = { dial: dialled(gate) }) => [
        metalManager({ world, settings, scope, states, ...reach }),
      ],
    });
  }
  if (ipam !== undefined) {
    all.push({
      lease: HALVES.ipam.lease,
      movesOver: 'ipam',
      programs: world => [ipamManager({ world, scope, states, settings: ipam })],
    });
  }
  const providers = [
    ...(mac === undefined ? [] : (['mac'] as const)),
    ...(settings === undefined ? [] : (['metal'] as const)),
  ];
  const [first, ...others] = all;
  return first === undefined || setup.clusterApi === 'elsewhere' ? all : [withClusterApi(first, providers), ...others];
}

type Led = ManagerSetup & {
  readonly transport: Transport;
  readonly metrics: ScrapedMetrics;
  readonly states: ControllerStates;
};

/** Whatever the election: without a lease there is nothing to ask before a write. */
function leading(half: Half, led: Led): Program {
  const { election, transport, random } = led;
  if (election === 'off') return running(half, led, { transport });
  return async signal => {
    const identity = `${led.cluster.env.HOSTNAME ?? 'pippin'}_${random.uuid()}`;
    const elected = new Election({ ...led, ...election, name: half.lease, identity });
    const { gate } = elected;
    await elected.lead(running(half, led, { transport: gate.guard(transport), gate, lease: elected }), signal);
  };
}

interface Lead {
  readonly transport: Transport;
  readonly gate?: LeaderGate;
  readonly lease?: ToldLease;
}

function running(half: Half, led: Led, { transport, gate, lease }: Lead): Program {
  return async signal => {
    const { movesOver } = half;
    const sight = movesOver === undefined ? undefined : new UpstreamSight(movesOver, () => led.clock.now());
    const { seen } = sight ?? {};
    const world = openWorld({ ...led, transport, component: COMPONENT, ...(seen === undefined ? {} : { seen }) });
    const program = together(half.programs(world, gate));
    const { states } = led;
    try {
      await (movesOver === undefined || sight === undefined
        ? program
        : whileOurs(program, {
            ...{ half: movesOver, world, sight, states },
            ...(lease === undefined ? {} : { lease }),
          }))(signal);
    } finally {
      await world.close();
    }
  };
}

/** Behind no lease: conversion must answer wherever the Service leads. */
function endpointOf(led: Led): readonly Program[] {
  const { webhookAddress: address } = led;
  if (address === undefined) return [];
  return [
    async signal => {
      const world = openWorld({ ...led, component: 'pippin-metal-endpoint' });
      try {
        await metalEndpoint({ ...world, keys: led.keys, address })(signal);
      } finally {
        await world.close();
      }
    },
  ];
}
