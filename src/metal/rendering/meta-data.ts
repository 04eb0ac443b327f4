// The metadata of a host: texts by key. Of two entries with one key the later kind counts (metal-R1).

import { bootMacOf, macOfInterface } from './host-interfaces.ts';
import type { MetaData, PoolAddress, RenderingInput } from './input.ts';
import { sectionYaml } from './json-step.ts';
import { addressFrom } from './pool-choice.ts';
import { annotationOf, sourceObject } from './source-objects.ts';

/** Undefined where the template has no such section. */
export function renderMetaData(input: RenderingInput): string | undefined {
  const section = input.template.spec?.metaData;
  if (section === undefined) return undefined;
  const texts = new Map<string, string>();
  for (const render of IN_ORDER) {
    for (const [key, text] of render(section, input)) texts.set(key, text);
  }
  texts.set('providerid', providerIdOf(input));
  return sectionYaml(Object.fromEntries(texts), 'metaData');
}

const providerIdOf = ({ host, metal3Machine: { metadata } }: RenderingInput): string =>
  `${metadata.namespace ?? ''}/${host.metadata.name}/${metadata.name}`;

type Rendered = readonly (readonly [key: string, text: string])[];
type Render = (section: MetaData, input: RenderingInput) => Rendered;

/** `dnsServersFromPool` makes a claim for an address and renders nothing, as upstream has it. */
const IN_ORDER: readonly Render[] = [
  hostInterfaces,
  fromPools('ipAddressesFromPool', ({ address }) => address),
  fromPools('prefixesFromPool', ({ prefix }) => (prefix === undefined ? '' : String(prefix))),
  fromPools('gatewaysFromPool', ({ gateway }) => gateway ?? ''),
  ({ indexes = [] }, { index }) => indexes.map(entry => [entry.key, indexText(entry, index)]),
  ({ namespaces = [] }, { namespace }) => namespaces.map(({ key }) => [key, namespace]),
  objectNames,
  labels,
  annotations,
  ({ strings = [] }) => strings.map(({ key, value }) => [key, value]),
];

const fieldOf = (list: keyof MetaData, index: number): string => `spec.metaData.${list}[${index}]`;

function hostInterfaces({ fromHostInterfaces = [] }: MetaData, { host }: RenderingInput): Rendered {
  return fromHostInterfaces.map(({ key, interface: nic = '', fromBootMAC }, index) => {
    const field = fieldOf('fromHostInterfaces', index);
    const mac = fromBootMAC === true ? bootMacOf(host, `${field}.fromBootMAC`) : undefined;
    return [key, mac ?? macOfInterface(host, nic, `${field}.interface`)];
  });
}

function fromPools(
  list: 'ipAddressesFromPool' | 'prefixesFromPool' | 'gatewaysFromPool',
  read: (address: PoolAddress) => string,
): Render {
  return (section, { addresses }) =>
    (section[list] ?? []).map(({ key, name }, index) => [
      key,
      read(addressFrom(addresses, name, `${fieldOf(list, index)}.name`)),
    ]);
}

interface IndexEntry {
  readonly offset?: number;
  readonly step?: number;
  readonly prefix?: string;
  readonly suffix?: string;
}

/** A step of 0 counts as 1. */
function indexText({ offset = 0, step = 1, prefix = '', suffix = '' }: IndexEntry, index: number): string {
  return `${prefix}${offset + index * (step || 1)}${suffix}`;
}

function objectNames({ objectNames: entries = [] }: MetaData, input: RenderingInput): Rendered {
  return entries.map(({ key, object }, index) => [
    key,
    sourceObject(object, input, fieldOf('objectNames', index)).metadata.name,
  ]);
}

function labels({ fromLabels = [] }: MetaData, input: RenderingInput): Rendered {
  return fromLabels.map(({ key, object, label }, index) => {
    const { metadata } = sourceObject(object, input, fieldOf('fromLabels', index));
    return [key, metadata.labels?.[label] ?? ''];
  });
}

function annotations({ fromAnnotations = [] }: MetaData, input: RenderingInput): Rendered {
  return fromAnnotations.map(({ key, ...source }, index) => [
    key,
    annotationOf(source, input, fieldOf('fromAnnotations', index)),
  ]);
}
