// What is allowed in the description of a Pod and still doubtful, in the order in which the real server warns of it.

import type { Json, JsonObject } from '../parts.ts';
import { labelValueProblems } from '../request/label-rules.ts';
import { containerWarnings } from './container-warnings.ts';
import { addressFormWarnings } from './form-warnings.ts';
import { fractionWarnings } from './fraction-warnings.ts';
import { isList, isObject, listAt, numberAt, objectAt, objectsAt, textAt } from './json.ts';
import { newerName, type OfValues, oldLabelWarnings, termWarnings } from './old-labels.ts';
import { portWarnings } from './port-warnings.ts';
import { volumeWarnings } from './volume-warnings.ts';

type Warnings = readonly string[];

const NONE: Warnings = [];

const OLD_ANNOTATIONS = [
  ['scheduler.alpha.kubernetes.io/critical-pod', 'non-functional in v1.16+; use the "priorityClassName" field instead'],
  ['security.alpha.kubernetes.io/sysctls', 'non-functional in v1.11+; use the "sysctls" field instead'],
  ['security.alpha.kubernetes.io/unsafe-sysctls', 'non-functional in v1.11+; use the "sysctls" field instead'],
] as const;
const SECCOMP = 'seccomp.security.alpha.kubernetes.io/pod';
const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';
const NOTHING_SELECTED = 'a null labelSelector results in matching no pod';

/** `prefix` leads to a template; a Pod itself has none. */
export function podWarnings(prefix: string, pod: JsonObject): Warnings {
  const [spec, metadata] = [objectAt(pod, 'spec'), objectAt(pod, 'metadata')];
  const path = `${prefix}spec`;
  const annotations = metadata.annotations === undefined ? undefined : objectAt(metadata, 'annotations');
  return [
    ...(spec.nodeSelector === undefined ? NONE : nodeLabelWarnings(`${path}.nodeSelector`, spec)),
    ...(spec.affinity === undefined ? NONE : nodeTermWarnings(path, objectAt(spec, 'affinity'))),
    ...spreadWarnings(`${path}.topologySpreadConstraints`, spec),
    ...(annotations === undefined ? NONE : oldAnnotationWarnings(`${prefix}metadata.annotations`, annotations)),
    ...(spec.volumes === undefined ? NONE : volumeWarnings(`${path}.volumes`, spec)),
    ...twiceWarnings(`${path}.hostAliases`, spec.hostAliases, 'ip'),
    ...secretWarnings(`${path}.imagePullSecrets`, spec.imagePullSecrets),
    ...(spec.overhead === undefined ? NONE : fractionWarnings(`${path}.overhead`, objectAt(spec, 'overhead'))),
    ...seccompWarnings(`${prefix}metadata.annotations`, spec, annotations),
    ...containerWarnings(prefix, spec, annotations),
    ...portWarnings(path, spec),
    ...patienceWarnings(path, spec),
    ...(spec.affinity === undefined ? NONE : podTermWarnings(`${path}.affinity`, objectAt(spec, 'affinity'))),
    ...(spec.dnsConfig === undefined ? NONE : serverWarnings(`${path}.dnsConfig`, objectAt(spec, 'dnsConfig'))),
    ...(spec.hostAliases === undefined ? NONE : aliasWarnings(`${path}.hostAliases`, spec)),
  ];
}

function nodeLabelWarnings(path: string, spec: JsonObject): Warnings {
  const labels = Object.keys(objectAt(spec, 'nodeSelector')).sort();
  return labels.flatMap(label => newerName(label, why => `${path}[${label}]: ${why}`));
}

function nodeTermWarnings(path: string, affinity: JsonObject): Warnings {
  const node = objectAt(affinity, 'nodeAffinity');
  const at = `${path}.affinity.nodeAffinity`;
  return [
    ...objectsAt(objectAt(node, REQUIRED), 'nodeSelectorTerms').flatMap((term, index) =>
      termWarnings(`${at}.${REQUIRED}.nodeSelectorTerms[${index}]`, term, () => NONE),
    ),
    ...objectsAt(node, PREFERRED).flatMap((term, index) =>
      termWarnings(`${at}.${PREFERRED}[${index}].preference`, objectAt(term, 'preference'), valueWarnings),
    ),
  ];
}

/** What is only preferred may have any value; no Node has this one. */
const valueWarnings: OfValues = (path, values) =>
  values.flatMap((value, index) =>
    labelValueProblems(String(value)).map(why => `${path}[${index}]: ${String(value)} is invalid, ${why}`),
  );

function spreadWarnings(path: string, spec: JsonObject): Warnings {
  if (spec.topologySpreadConstraints === undefined) return NONE;
  return objectsAt(spec, 'topologySpreadConstraints').flatMap((constraint, index) => [
    ...oldLabelWarnings(`${path}[${index}].topologyKey`, textAt(constraint, 'topologyKey')),
    ...(isObject(constraint.labelSelector) ? NONE : [`${path}[${index}].labelSelector: ${NOTHING_SELECTED}`]),
  ]);
}

function oldAnnotationWarnings(path: string, annotations: JsonObject): Warnings {
  return OLD_ANNOTATIONS.filter(([key]) => annotations[key] !== undefined).map(
    ([key, why]) => `${path}[${key}]: ${why}`,
  );
}

/** The second and later ones of a list of names. */
function twiceWarnings(path: string, list: Json | undefined, key: string): Warnings {
  if (!isList(list) || list.length < 2) return NONE;
  const seen = new Set<string>();
  return list.filter(isObject).flatMap((item, index) => {
    const name = textAt(item, key);
    const isTwice = seen.has(name);
    seen.add(name);
    return isTwice ? [`${path}[${index}].${key}: duplicate ${key} ${JSON.stringify(name)}`] : NONE;
  });
}

function secretWarnings(path: string, list: Json | undefined): Warnings {
  if (!isList(list)) return NONE;
  const nameless = list.flatMap((item, index) =>
    isObject(item) && textAt(item, 'name') === '' ? [`${path}[${index}].name: invalid empty name ""`] : NONE,
  );
  return [...twiceWarnings(path, list, 'name'), ...nameless];
}

function seccompWarnings(path: string, spec: JsonObject, annotations: JsonObject | undefined): Warnings {
  if (annotations?.[SECCOMP] === undefined) return NONE;
  const isSaid = objectAt(spec, 'securityContext').seccompProfile !== undefined;
  return isSaid ? NONE : [`${path}[${SECCOMP}]: non-functional in v1.27+; use the "seccompProfile" field instead`];
}

function patienceWarnings(path: string, spec: JsonObject): Warnings {
  if ((numberAt(spec, 'terminationGracePeriodSeconds') ?? 0) >= 0) return NONE;
  return [`${path}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`];
}

function podTermWarnings(path: string, affinity: JsonObject): Warnings {
  return ['podAffinity', 'podAntiAffinity'].flatMap(kind => {
    const [terms, at] = [objectAt(affinity, kind), `${path}.${kind}`];
    return [
      ...objectsAt(terms, REQUIRED).flatMap((term, index) =>
        isObject(term.labelSelector) ? NONE : [`${at}.${REQUIRED}[${index}].labelSelector: ${NOTHING_SELECTED}`],
      ),
      ...objectsAt(terms, PREFERRED).flatMap((term, index) =>
        isObject(objectAt(term, 'podAffinityTerm').labelSelector)
          ? NONE
          : [`${at}.${PREFERRED}[${index}].podAffinityTerm.labelSelector: ${NOTHING_SELECTED}`],
      ),
    ];
  });
}

const serverWarnings = (path: string, config: JsonObject): Warnings =>
  listAt(config, 'nameservers').flatMap((ip, index) =>
    addressFormWarnings(`${path}.nameservers[${index}]`, String(ip)),
  );

const aliasWarnings = (path: string, spec: JsonObject): Warnings =>
  objectsAt(spec, 'hostAliases').flatMap((alias, index) =>
    addressFormWarnings(`${path}[${index}].ip`, textAt(alias, 'ip')),
  );
