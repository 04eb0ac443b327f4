// What is doubtful in Services, addresses and networks, and in what leads to them: fields nobody looks at, forms that are not the one.

import type { JsonObject } from '../parts.ts';
import { addressFormWarnings, networkFormWarnings } from './form-warnings.ts';
import { listAt, objectAt, objectsAt, sameJson, textAt } from './json.ts';

type Warnings = readonly string[];
type OfText = (path: string, text: string) => Warnings;

const ofTexts = (path: string, holder: JsonObject, check: OfText): Warnings => {
  const key = path.slice(path.lastIndexOf('.') + 1);
  if (holder[key] === undefined) return [];
  return listAt(holder, key).flatMap((text, index) => check(`${path}[${index}]`, String(text)));
};

export function serviceWarnings(service: JsonObject, old: JsonObject | undefined): Warnings {
  const [spec, before] = [objectAt(service, 'spec'), objectAt(old ?? {}, 'spec')];
  const isNew = (key: string): boolean => !sameJson(spec[key] ?? null, before[key] ?? null);
  const isOld = spec.trafficDistribution === 'PreferClose' && isNew('trafficDistribution');
  const isHeadless = listAt(spec, 'clusterIPs')[0] === 'None' || spec.clusterIP === 'None';
  const isOutside = listAt(spec, 'externalIPs').length > 0 && isNew('externalIPs');
  const why = 'spec.externalIPs is deprecated and may no longer be implemented in some clusters';
  return [
    ...(isHeadless ? headlessWarnings(spec) : []),
    ...ofTexts('spec.externalIPs', spec, addressFormWarnings),
    ...addressFormWarnings('spec.loadBalancerIP', textAt(spec, 'loadBalancerIP')),
    ...ofTexts('spec.loadBalancerSourceRanges', spec, networkFormWarnings),
    ...(isOutside && !isHeadless ? [why] : []),
    ...(isOld ? ['spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"'] : []),
  ];
}

/** Nothing stands before the Pods of a headless Service. */
function headlessWarnings(spec: JsonObject): Warnings {
  const ignored = (key: string): string => `spec.${key} is ignored for headless services`;
  return [
    ...(textAt(spec, 'loadBalancerIP') === '' ? [] : [ignored('loadBalancerIP')]),
    ...(listAt(spec, 'externalIPs').length > 0 ? [ignored('externalIPs')] : []),
    ...(spec.sessionAffinity === 'ClientIP' ? [ignored('SessionAffinity')] : []),
  ];
}

export const endpointsWarnings = (endpoints: JsonObject): Warnings =>
  objectsAt(endpoints, 'subsets').flatMap((subset, index) =>
    ['addresses', 'notReadyAddresses'].flatMap(key =>
      objectsAt(subset, key).flatMap((each, at) =>
        addressFormWarnings(`subsets[${index}].${key}[${at}].ip`, textAt(each, 'ip')),
      ),
    ),
  );

export function networkPolicyWarnings(policy: JsonObject): Warnings {
  const spec = objectAt(policy, 'spec');
  const peers = (rules: string, key: string): Warnings =>
    objectsAt(spec, rules).flatMap((rule, index) =>
      objectsAt(rule, key).flatMap((peer, at) =>
        blockWarnings(`spec.${rules}[${index}].${key}[${at}].ipBlock`, objectAt(peer, 'ipBlock')),
      ),
    );
  return [...peers('ingress', 'from'), ...peers('egress', 'to')];
}

const blockWarnings = (path: string, block: JsonObject): Warnings => [
  ...networkFormWarnings(`${path}.cidr`, textAt(block, 'cidr')),
  ...ofTexts(`${path}.except`, block, networkFormWarnings),
];

export function nodeWarnings(node: JsonObject): Warnings {
  const spec = objectAt(node, 'spec');
  const unused = 'spec.externalID: this field is deprecated, and is unused by Kubernetes';
  return [
    ...(textAt(spec, 'externalID') === '' ? [] : [unused]),
    ...ofTexts('spec.podCIDRs', spec, networkFormWarnings),
  ];
}

const OLD_CLASS = 'kubernetes.io/ingress.class';
const ONLY_OWN_SECRETS = 'kubernetes.io/enforce-mountable-secrets';

const annotationsOf = (object: JsonObject): JsonObject => objectAt(objectAt(object, 'metadata'), 'annotations');

export function ingressWarnings(ingress: JsonObject, old: JsonObject | undefined): Warnings {
  const isOld = old === undefined && annotationsOf(ingress)[OLD_CLASS] !== undefined;
  return isOld ? [`annotation "${OLD_CLASS}" is deprecated, please use 'spec.ingressClassName' instead`] : [];
}

export function accountWarnings(account: JsonObject, old: JsonObject | undefined): Warnings {
  const isNew =
    annotationsOf(account)[ONLY_OWN_SECRETS] !== undefined && annotationsOf(old ?? {})[ONLY_OWN_SECRETS] === undefined;
  const why = 'deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets';
  return isNew ? [`metadata.annotations[${ONLY_OWN_SECRETS}]: ${why}`] : [];
}
