// What Nodes must be, and what of them stays: where they are at their provider, and the networks of their Pods.

import { parseNetwork } from '../../../base/ip.ts';
import type { JsonObject } from '../../parts.ts';
import { duplicate, forbidden, internal, invalid } from '../../schema/field-errors.ts';
import { listAt, objectAt, objectsAt, sameJson, textAt } from '../json.ts';
import { soundNetworkErrors } from './canonical-addresses.ts';
import { NONE } from './fields.ts';
import { valueErrors } from './resources.ts';
import type { Errors } from './texts.ts';
import { taintErrors } from './tolerations.ts';

export function nodeErrors(node: JsonObject, old: JsonObject | undefined, part: string): Errors {
  const spec = objectAt(node, 'spec');
  // The real server names them so.
  const taints = taintErrors('metadata.taints', objectsAt(spec, 'taints'));
  if (old === undefined) return [...taints, ...roomErrors(node), ...networkErrors(spec)];
  const [before, status] = [objectAt(old, 'spec'), objectAt(node, 'status')];
  const changes = [
    ...addressErrors(objectsAt(status, 'addresses')),
    ...movedErrors(spec, before),
    ...featureErrors('status.declaredFeatures', listAt(status, 'declaredFeatures').map(String)),
    // What is told of them is told again.
    ...taints,
    ...(sameJson(spec.externalID, before.externalID) ? NONE : [forbidden('spec.externalID', 'may not be updated')]),
  ];
  return part === 'status'
    ? [...roomErrors(node), ...changes]
    : [...taints, ...roomErrors(node), ...networkErrors(spec), ...changes];
}

/** What older clients say counts where it is another than the first. */
function networksOf(spec: JsonObject): readonly string[] {
  const [one, all] = [textAt(spec, 'podCIDR'), listAt(spec, 'podCIDRs').map(String)];
  return one !== '' && all[0] !== one ? [one] : all;
}

/** One network of each family. */
function networkErrors(spec: JsonObject): Errors {
  const networks = networksOf(spec);
  if (networks.length === 0) return NONE;
  const path = 'spec.podCIDRs';
  const wrong = networks.flatMap((network, index) => soundNetworkErrors(`${path}[${index}]`, network));
  if (networks.length < 2) return wrong;
  const families = networks.map(network => parseNetwork(network)?.address.family);
  const none = families.indexOf(undefined);
  const unread = `invalid PodCIDRs. failed to check with dual stack with error:invalid CIDR[${none}]: <nil> (invalid CIDR address: ${networks[none]})`;
  const isOneOfEach = networks.length === 2 && none === -1 && families[0] !== families[1];
  const why = 'may specify no more than one CIDR for each IP family';
  return [
    ...wrong,
    ...(none === -1 ? NONE : [internal(path, unread)]),
    ...(isOneOfEach ? NONE : [invalid(path, networks, why)]),
  ];
}

function roomErrors(node: JsonObject): Errors {
  const status = objectAt(node, 'status');
  return ['capacity', 'allocatable'].flatMap(key =>
    Object.entries(objectAt(status, key)).flatMap(([name, value]) =>
      valueErrors(`status.${key}.${name}`, name, String(value)),
    ),
  );
}

function addressErrors(addresses: readonly JsonObject[]): Errors {
  const seen = new Set<string>();
  return addresses.flatMap((each, index) => {
    // Kubernetes shows it as its own code has it.
    const shown = { Type: textAt(each, 'type'), Address: textAt(each, 'address') };
    const key = JSON.stringify(shown);
    const isTwice = seen.has(key);
    seen.add(key);
    return isTwice ? [duplicate(`status.addresses[${index}]`, shown)] : NONE;
  });
}

function movedErrors(spec: JsonObject, before: JsonObject): Errors {
  const [networks, had] = [networksOf(spec), networksOf(before)];
  const isMoved = had.length > 0 && !sameJson(networks, had);
  const provider = textAt(before, 'providerID');
  const only = (what: string): string => `node updates may not change ${what} except from "" to valid`;
  return [
    ...(isMoved ? [forbidden('spec.podCIDRs', only('podCIDR'))] : NONE),
    ...(provider !== '' && provider !== textAt(spec, 'providerID')
      ? [forbidden('spec.providerID', only('providerID'))]
      : NONE),
  ];
}

const FEATURE = /^[A-Z][A-Za-z0-9]*(\/[A-Za-z0-9]+)*$/;

function featureErrors(path: string, features: readonly string[]): Errors {
  return features.flatMap((feature, index) => {
    const at = `${path}[${index}]`;
    const why = `invalid feature name ${JSON.stringify(feature)}: must start with an UpperCamelCase segment, with subsequent segments separated by '/' (e.g., MyFeature or MyFeature/mySubFeature), and contain only alphanumeric characters and slashes`;
    const isSorted = index === 0 || (features[index - 1] ?? '') < feature;
    return [
      ...(FEATURE.test(feature) ? NONE : [invalid(at, feature, why)]),
      ...(isSorted ? NONE : [invalid(at, feature, 'list must be sorted alphabetically')]),
    ];
  });
}
