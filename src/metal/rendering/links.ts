// The links of a host: bonds, then ethernets, then VLANs, each with its hardware address where it has one.

import type { YamlMap, YamlValue } from '../../base/yaml/document.ts';
import type { Links, RenderingInput } from './input.ts';
import { macOfLink } from './link-mac.ts';
import { renderingRefused } from './refused.ts';

type Bond = NonNullable<Links['bonds']>[number];
type Ethernet = NonNullable<Links['ethernets']>[number];
type Vlan = NonNullable<Links['vlans']>[number];
type Link = Bond | Ethernet | Vlan;

/** The definition's default. */
const MTU = 1500;
const LINKS = 'spec.networkData.links';

export function renderLinks(links: Links | undefined, input: RenderingInput): YamlMap[] {
  const { bonds = [], ethernets = [], vlans = [] } = links ?? {};
  return [
    ...bonds.map((bond, index) => renderBond(bond, input, `${LINKS}.bonds[${index}]`)),
    ...ethernets.map((ethernet, index) => renderEthernet(ethernet, input, `${LINKS}.ethernets[${index}]`)),
    ...vlans.map((vlan, index) => renderVlan(vlan, input, `${LINKS}.vlans[${index}]`)),
  ];
}

function renderBond(bond: Bond, input: RenderingInput, field: string): YamlMap {
  const entry = {
    ...common(bond, 'bond'),
    bond_mode: bond.bondMode,
    bond_xmit_hash_policy: bond.bondXmitHashPolicy ?? '',
    // Go writes a list that is not there as null.
    bond_links: bond.bondLinks ?? null,
    ...macAs('ethernet_mac_address', macOfLink(bond.macAddress, input, `${field}.macAddress`)),
  };
  return { ...entry, ...parametersOf(bond, entry, field) };
}

/** A parameter may add to what the template says of the bond, not change it. */
function parametersOf(bond: Bond, entry: YamlMap, field: string): YamlMap {
  const parameters = (bond.parameters ?? []).map(({ name, value }) => ({ name, key: `bond_${name}`, value }));
  const taken = parameters.filter(({ key }) => Object.hasOwn(entry, key)).map(({ name }) => `"${name}"`);
  if (taken.length > 0) {
    throw renderingRefused(`${field}.parameters`, `${taken.join(', ')} of link "${bond.id}" cannot be set here`);
  }
  return Object.fromEntries(parameters.map(({ key, value }) => [key, asYaml(value)]));
}

/** Whatever JSON the API holds. */
const asYaml = (value: unknown): YamlValue => JSON.parse(JSON.stringify(value ?? null));

function renderEthernet(ethernet: Ethernet, input: RenderingInput, field: string): YamlMap {
  const mac = macOfLink(ethernet.macAddress, input, `${field}.macAddress`);
  return { ...common(ethernet, ethernet.type), ...macAs('ethernet_mac_address', mac) };
}

function renderVlan(vlan: Vlan, input: RenderingInput, field: string): YamlMap {
  const mac = macOfLink(vlan.macAddress, input, `${field}.macAddress`);
  return {
    ...common(vlan, 'vlan'),
    vlan_id: vlan.vlanID,
    vlan_link: vlan.vlanLink,
    ...macAs('vlan_mac_address', mac),
  };
}

function common({ id, mtu = MTU, name = '' }: Link, type: string): YamlMap {
  return { type, id, mtu, ...(name === '' ? {} : { name }) };
}

const macAs = (key: string, mac: string | undefined): YamlMap => (mac === undefined ? {} : { [key]: mac });
