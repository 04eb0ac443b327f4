// Labels of Nodes that have newer names: whoever still goes by the older ones is warned.

import type { Json, JsonObject } from '../parts.ts';
import { listAt, objectsAt, textAt } from './json.ts';

type Warnings = readonly string[];

const NONE: Warnings = [];

const OLD_LABELS: Readonly<Record<string, string>> = {
  'beta.kubernetes.io/arch': 'deprecated since v1.14; use "kubernetes.io/arch" instead',
  'beta.kubernetes.io/os': 'deprecated since v1.14; use "kubernetes.io/os" instead',
  'failure-domain.beta.kubernetes.io/region': 'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
  'failure-domain.beta.kubernetes.io/zone': 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  'beta.kubernetes.io/instance-type': 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
};
export const newerName = (label: string, says: (why: string) => string): Warnings => {
  const why = Object.hasOwn(OLD_LABELS, label) ? OLD_LABELS[label] : undefined;
  return why === undefined ? NONE : [says(why)];
};

export const oldLabelWarnings = (path: string, label: string): Warnings =>
  newerName(label, why => `${path}: ${label} is ${why}`);

export type OfValues = (path: string, values: readonly Json[]) => Warnings;

export function termWarnings(path: string, term: JsonObject, ofValues: OfValues): Warnings {
  return objectsAt(term, 'matchExpressions').flatMap((expression, index) => {
    const [at, key] = [`${path}.matchExpressions[${index}]`, textAt(expression, 'key')];
    return [...oldLabelWarnings(`${at}.key`, key), ...ofValues(`${at}.values`, listAt(expression, 'values'))];
  });
}
