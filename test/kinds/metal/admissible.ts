// What upstream's webhooks ask beyond the schema, given to generated objects so that the schema alone decides.

import type { Made } from './values.ts';

export interface Tried {
  readonly kind: string;
  readonly version: string;
  /** What is tried; empty for the whole object. */
  readonly path: string;
  readonly fits: boolean;
}

/** The object with what the kind's admission wants. What is tried and does not fit is left alone. */
export function admissible<T extends Made>(tried: Tried, object: T): T {
  const completed = given(object, GIVEN[`${tried.kind} ${tried.version}`] ?? GIVEN[tried.kind] ?? {}, {
    at: '',
    spared: tried.fits ? undefined : tried.path,
  });
  return tried.fits ? { ...object, ...(CHANGES[tried.kind] ?? unchanged)(completed) } : { ...object, ...completed };
}

const unchanged = (object: Made): Made => object;

interface Place {
  readonly at: string;
  /** Nothing is given here. */
  readonly spared: string | undefined;
}

/** `values` where the object has none, or only an empty text. */
function given(object: Made, values: Made, { at, spared }: Place): Made {
  if (at !== '' && at === spared) return object;
  const added = Object.entries(values).map(([key, value]): [string, unknown] => {
    const place = { at: at === '' ? key : `${at}.${key}`, spared };
    return [key, place.at === spared ? object[key] : filled(object[key], value, place)];
  });
  return { ...object, ...Object.fromEntries(added.filter(([, value]) => value !== undefined)) };
}

function filled(own: unknown, value: unknown, place: Place): unknown {
  if (own === undefined || own === '') return value;
  return isMade(own) && isMade(value) ? given(own, value, place) : own;
}

const isMade = (value: unknown): value is Made => typeof value === 'object' && value !== null && !Array.isArray(value);

const IMAGE = { url: 'http://host/image', checksum: 'http://host/sum' };
const ENDPOINT = { host: 'a', port: 6443 };
const STRATEGY = { type: 'Reboot' };
const NAMED = { name: 'a' };

const GIVEN: Readonly<Record<string, Made>> = {
  Metal3Cluster: { spec: { controlPlaneEndpoint: ENDPOINT } },
  Metal3ClusterTemplate: { spec: { template: { spec: { controlPlaneEndpoint: ENDPOINT } } } },
  Metal3Machine: { spec: { image: IMAGE } },
  Metal3MachineTemplate: { spec: { template: { spec: { image: IMAGE } } } },
  Metal3DataTemplate: {},
  'Metal3DataTemplate v1beta1': { spec: { clusterName: 'a' } },
  Metal3DataClaim: { spec: { template: NAMED } },
  Metal3Data: { spec: { template: NAMED, claim: NAMED, index: 1 } },
  Metal3Remediation: { spec: { strategy: STRATEGY } },
  IPClaim: { spec: { pool: NAMED } },
  IPAddress: { spec: { pool: NAMED, claim: NAMED, address: '10.0.0.1' } },
  IPPool: { spec: { namePrefix: 'a' } },
};

const CHANGES: Readonly<Record<string, (object: Made) => Made>> = {
  Metal3Cluster: object => inside(object, ['spec'], agreeing),
  Metal3ClusterTemplate: object =>
    inside(
      inside(object, ['spec', 'template', 'spec'], agreeing),
      ['spec', 'template', 'spec', 'controlPlaneEndpoint'],
      withPort,
    ),
  Metal3Machine: object => inside(object, ['spec', 'image'], withAddress),
  Metal3MachineTemplate: object => inside(object, ['spec', 'template', 'spec', 'image'], withAddress),
  Metal3DataTemplate: object =>
    inside(inside(object, ['spec', 'metaData'], withInterfaces), ['spec', 'networkData', 'networks'], withPools),
  Metal3Data: withItsName,
  Metal3Remediation: object => inside(object, ['spec', 'strategy'], legibleStrategy),
  Metal3RemediationTemplate: object => inside(object, ['spec', 'template', 'spec', 'strategy'], legibleStrategy),
};

/** `change` of the object at this path, where there is one. */
function inside(object: Made, [name, ...rest]: readonly string[], change: (inner: Made) => Made): Made {
  if (name === undefined) return change(object);
  const inner = object[name];
  return isMade(inner) ? { ...object, [name]: inside(inner, rest, change) } : object;
}

/** Both ways of naming a cloud provider say the same. */
function agreeing(spec: Made): Made {
  if (typeof spec.cloudProviderEnabled !== 'boolean' || typeof spec.noCloudProvider !== 'boolean') return spec;
  return { ...spec, noCloudProvider: !spec.cloudProviderEnabled };
}

/** v1beta1's schema takes a port of zero. */
const withPort = (endpoint: Made): Made => (endpoint.port === 0 ? { ...endpoint, port: ENDPOINT.port } : endpoint);

/** v1beta1's schema takes any text for an address. */
const withAddress = (image: Made): Made =>
  typeof image.url === 'string' && !/^(\/|[a-z]+:)/.test(image.url) ? { ...image, url: IMAGE.url } : image;

/** v1beta1's schema takes any text and number. */
function legibleStrategy(strategy: Made): Made {
  return {
    ...strategy,
    ...(typeof strategy.timeout === 'string' ? { timeout: '10m0s' } : {}),
    ...(typeof strategy.type === 'string' && strategy.type.startsWith('a') && strategy.type !== 'another'
      ? STRATEGY
      : {}),
    ...(strategy.retryLimit === 0 && strategy.timeoutSeconds === undefined ? { retryLimit: 1 } : {}),
  };
}

/** The name of a Metal3Data is made of its template's and its index. */
function withItsName(object: Made): Made {
  const { template, index } = isMade(object.spec) ? object.spec : {};
  const name = isMade(template) && typeof template.name === 'string' ? template.name : '';
  return { ...object, metadata: { namespace: 'default', name: `${name}-${Number(index ?? 0)}` } };
}

/** Either an interface or the boot MAC. */
const withInterfaces = (metaData: Made): Made =>
  eachOf(metaData, 'fromHostInterfaces', (item, index) => {
    const named = item.interface !== undefined && item.interface !== '';
    if (named && item.fromBootMAC === true) return without(item, index % 2 === 0 ? 'fromBootMAC' : 'interface');
    if (named || item.fromBootMAC === true) return item;
    return item.fromBootMAC === false ? { ...item, interface: 'eth0' } : { ...item, fromBootMAC: true };
  });

/** Static networks take their addresses from somewhere. */
const withPools = (networks: Made): Made => eachOf(eachOf(networks, 'ipv4', withPool), 'ipv6', withPool);

function withPool(network: Made): Made {
  const { fromPoolRef, fromPoolAnnotation, ipAddressFromIPPool } = network;
  const named = isMade(fromPoolRef) && fromPoolRef.name !== '';
  if (named || fromPoolAnnotation !== undefined || (ipAddressFromIPPool !== undefined && ipAddressFromIPPool !== ''))
    return network;
  return fromPoolRef === undefined
    ? { ...network, fromPoolRef: { kind: 'IPPool', name: 'pool' } }
    : { ...network, ipAddressFromIPPool: 'pool' };
}

function eachOf(object: Made, name: string, change: (item: Made, index: number) => Made): Made {
  const items = object[name];
  if (!Array.isArray(items)) return object;
  return { ...object, [name]: items.map((item: unknown, index) => (isMade(item) ? change(item, index) : item)) };
}

function without(object: Made, name: string): Made {
  return Object.fromEntries(Object.entries(object).filter(([key]) => key !== name));
}
