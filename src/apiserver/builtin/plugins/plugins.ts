// The admission plugins of a whole cluster, in the order in which they run.

import type { Random } from '../../../base/random.ts';
import type { Admission, Stored } from '../../parts.ts';
import { defaultAdmissionWith, type Patience } from '../admission.ts';
import { claimResizing } from './claim-resize.ts';
import { defaultIngressClass, defaultStorageClass } from './default-classes.ts';
import { oneDefaultPriority } from './default-priority.ts';
import { limitRanger } from './limit-ranger.ts';
import { namespaceSecurity } from './namespace-security.ts';
import { podSecurity } from './pod-security.ts';
import { podTopology } from './pod-topology.ts';
import { priorities } from './priority.ts';
import { runtimeClasses } from './runtime-class.ts';
import { serviceAccounts } from './service-account.ts';

export interface ClusterWorld {
  readonly stored: Stored;
  readonly random: Random;
  readonly patience?: Patience;
}

/** The real server's names of those that are built in, and are on there unless they are disabled. */
export const CLUSTER_PLUGINS = [
  'DefaultIngressClass',
  'DefaultStorageClass',
  'DefaultTolerationSeconds',
  'LimitRanger',
  'PersistentVolumeClaimResize',
  'PodSecurity',
  'PodTopologyLabels',
  'Priority',
  'RuntimeClass',
  'ServiceAccount',
  'TaintNodesByCondition',
] as const;

export type ClusterPlugin = (typeof CLUSTER_PLUGINS)[number];

/** Stands where the default admission alone would: for whole servers, with what kube-apiserver has on by default. */
export function clusterAdmission(world: ClusterWorld, off: readonly ClusterPlugin[] = []): readonly Admission[] {
  const isOn = (plugin: ClusterPlugin): boolean => !off.includes(plugin);
  const plugins: readonly (readonly [ClusterPlugin | undefined, () => Admission])[] = [
    // Before a number is filled in: a client may not say its own.
    ['Priority', () => priorities(world)],
    [undefined, () => defaultAdmissionWith(isOn, world.patience)],
    ['Priority', () => oneDefaultPriority(world)],
    ['LimitRanger', () => limitRanger(world)],
    ['ServiceAccount', () => serviceAccounts(world)],
    ['PodSecurity', () => podSecurity(world)],
    ['PodSecurity', () => namespaceSecurity(world)],
    ['PodTopologyLabels', () => podTopology(world)],
    ['RuntimeClass', () => runtimeClasses(world)],
    ['DefaultStorageClass', () => defaultStorageClass(world)],
    ['DefaultIngressClass', () => defaultIngressClass(world)],
    ['PersistentVolumeClaimResize', () => claimResizing(world)],
  ];
  return plugins.filter(([name]) => name === undefined || isOn(name)).map(([, plugin]) => plugin());
}
