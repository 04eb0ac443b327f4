// What there must be before a Data is rendered, in upstream's order: each gap is waited for, or refused where it is final.

import { held, soon } from '../../deletion/quiet-controller.ts';
import { BareMetalHost } from '../../kinds/generated/bare-metal-host.generated.ts';
import { Cluster } from '../../kinds/generated/cluster.generated.ts';
import { Machine } from '../../kinds/generated/machine.generated.ts';
import { Metal3Data } from '../../kinds/generated/metal3-data.generated.ts';
import { Metal3DataClaim } from '../../kinds/generated/metal3-data-claim.generated.ts';
import { Metal3DataTemplate } from '../../kinds/generated/metal3-data-template.generated.ts';
import { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import { HOST_ANNOTATION } from '../../kinds/metal-wire.ts';
import { CLUSTER_NAME_LABEL } from '../../kinds/wire.ts';
import { type Ref, refTo } from '../../kube/api.ts';
import type { KubeWorld } from '../../kube/controller.ts';
import { annotationOf, labelOf } from '../../kube/object.ts';
import type { Wait } from '../../kube/outcome.ts';
import { ownersOf } from '../../kube/owners.ts';
import { machineOwnerOf } from '../claim/claims.ts';
import { claimWithoutMachine, dataWithoutClaim, templateMismatch } from './errors.ts';

type Cached = Pick<KubeWorld, 'caches'>;

/** The objects that name a Data's secrets. */
export interface Wanting {
  readonly template: Metal3DataTemplate;
  readonly metal3Machine: Metal3Machine;
}

/** The objects that its secrets are rendered from. */
export interface Sources extends Wanting {
  readonly machine: Machine;
  readonly host: BareMetalHost;
}

/** Throws where upstream gives up. The namespace of a reference is not read: all is in the Data's own (metal-G13). */
export function wantingOf(data: Metal3Data, world: Cached): Wanting | Wait {
  const { namespace = '', name } = data.metadata;
  const templateName = data.spec?.template?.name ?? '';
  if (templateName === '') return held(refTo(Metal3Data, data), 'NoTemplate', 'spec.template to name a Template');
  const onTemplate: Ref = { kind: Metal3DataTemplate, namespace, name: templateName };
  const template = world.caches.of(Metal3DataTemplate).get(onTemplate);
  if (template === undefined) return held(onTemplate, 'TemplateMissing', `Metal3DataTemplate ${templateName}`);
  const claimName = data.spec?.claim?.name ?? '';
  if (claimName === '') throw dataWithoutClaim(name);
  const onClaim: Ref = { kind: Metal3DataClaim, namespace, name: claimName };
  const claim = world.caches.of(Metal3DataClaim).get(onClaim);
  if (claim === undefined) return held(onClaim, 'ClaimMissing', `Metal3DataClaim ${claimName}`);
  const metal3Machine = metal3MachineOf(claim, world);
  if ('recheckMs' in metal3Machine) return metal3Machine;
  const names = metal3Machine.spec?.dataTemplate;
  const isSame = names?.name === templateName && (names.namespace ?? namespace) === namespace;
  if (!isSame) throw templateMismatch(metal3Machine.metadata.name, names?.name ?? 'nothing', templateName);
  return { template, metal3Machine };
}

function metal3MachineOf(claim: Metal3DataClaim, { caches }: Cached): Metal3Machine | Wait {
  const owner = machineOwnerOf(claim);
  if (owner === undefined) throw claimWithoutMachine(claim.metadata.name);
  const on: Ref = { kind: Metal3Machine, namespace: claim.metadata.namespace ?? '', name: owner.name, uid: owner.uid };
  const machine = caches.of(Metal3Machine).get(on);
  // One that bears the name of an earlier one is not it (metal-7.1).
  if (machine?.metadata.uid !== owner.uid) return held(on, 'Metal3MachineMissing', `Metal3Machine ${owner.name}`);
  return machine;
}

/** The Machine, and the host that was chosen for it. */
export function sourcesOf(data: Metal3Data, wanting: Wanting, { caches }: Cached): Sources | Wait {
  const { namespace = '' } = data.metadata;
  const { metal3Machine } = wanting;
  const on = refTo(Metal3Machine, metal3Machine);
  const [owner] = ownersOf(metal3Machine, Machine);
  if (owner === undefined)
    return held(on, 'NoMachine', `Metal3Machine ${metal3Machine.metadata.name} to have a Machine`);
  const onMachine: Ref = { kind: Machine, namespace, name: owner.name };
  const machine = caches.of(Machine).get(onMachine);
  if (machine === undefined) return held(onMachine, 'MachineMissing', `Machine ${owner.name}`);
  const hostName = hostNameOf(metal3Machine);
  if (hostName === undefined) return soon(on, `a host for Metal3Machine ${metal3Machine.metadata.name}`);
  const onHost: Ref = { kind: BareMetalHost, namespace, name: hostName };
  const host = caches.of(BareMetalHost).get(onHost);
  if (host === undefined) return held(onHost, 'HostMissing', `BareMetalHost ${hostName}`);
  return { ...wanting, machine, host };
}

/** `namespace/name`, of which the namespace is not read. */
export function hostNameOf(machine: Metal3Machine): string | undefined {
  const name = annotationOf(machine, HOST_ANNOTATION)?.split('/').at(-1) ?? '';
  return name === '' ? undefined : name;
}

/** A label that names a Cluster which is not there: nothing is rendered for it (metal-G15). */
export function missingCluster(data: Metal3Data, { caches }: Cached): Wait | undefined {
  const name = labelOf(data, CLUSTER_NAME_LABEL) ?? '';
  const on: Ref = { kind: Cluster, namespace: data.metadata.namespace ?? '', name };
  if (name === '' || caches.of(Cluster).get(on) !== undefined) return undefined;
  return held(on, 'ClusterMissing', `Cluster ${name}`);
}
