// What data of a host is rendered from: the template, the index, the objects around the host and its addresses.

import type { BareMetalHost } from '../../kinds/generated/bare-metal-host.generated.ts';
import type { Machine } from '../../kinds/generated/machine.generated.ts';
import type {
  Metal3DataTemplate,
  Metal3DataTemplateSpec,
} from '../../kinds/generated/metal3-data-template.generated.ts';
import type { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';

/** An address that a pool gave out, with what the pool says of its network. */
export interface PoolAddress {
  readonly address: string;
  readonly prefix?: number;
  readonly gateway?: string;
  readonly dnsServers: readonly string[];
}

export type PoolAddresses = ReadonlyMap<string, PoolAddress>;

export interface RenderingInput {
  readonly template: Metal3DataTemplate;
  readonly index: number;
  /** The namespace of the Metal3Data. */
  readonly namespace: string;
  readonly machine: Machine;
  readonly metal3Machine: Metal3Machine;
  readonly host: BareMetalHost;
  /** By the pool's name. */
  readonly addresses: PoolAddresses;
}

/** The objects that a template may read of. */
export interface SourceObjects {
  readonly machine?: Machine;
  readonly metal3Machine?: Metal3Machine;
  readonly host?: BareMetalHost;
}

export type MetaData = NonNullable<Metal3DataTemplateSpec['metaData']>;
export type NetworkData = NonNullable<Metal3DataTemplateSpec['networkData']>;
export type Links = NonNullable<NetworkData['links']>;
export type Networks = NonNullable<NetworkData['networks']>;
/** Networks without an address of their own have fewer fields, and no others. */
export type Network = NonNullable<Networks['ipv4']>[number];
export type Route = NonNullable<Network['routes']>[number];
export type Services = NonNullable<NetworkData['services']>;
