// References to fields of a Pod and to what its containers ask for, as files and variables name them.

import type { JsonObject } from '../../parts.ts';
import { invalid, notSupported, required } from '../../schema/field-errors.ts';
import { textAt } from '../json.ts';
import { canonicalQuantity, nanoOf } from '../quantity.ts';
import { NONE } from './fields.ts';
import { type Errors, qualifiedNameErrors } from './texts.ts';

/** All that can be referred to, by somebody. */
const KNOWN = new Set([
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.restartPolicy',
  'spec.schedulerName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.phase',
  'status.podIP',
  'status.podIPs',
]);
const SUBSCRIPTED = /^(.+)\['(.*)'\]$/;

/** `fields`: what may be referred to here, in the order in which it is told. */
export function fieldReferenceErrors(path: string, reference: JsonObject, fields: readonly string[]): Errors {
  const [at, field, version] = [`${path}.fieldPath`, textAt(reference, 'fieldPath'), textAt(reference, 'apiVersion')];
  if (version === '') return [required(`${path}.apiVersion`)];
  if (field === '') return [required(at)];
  if (version !== 'v1') return unconvertible(at, field, `unsupported pod version: ${version}`);
  const [, holder, subscript] = SUBSCRIPTED.exec(field) ?? [];
  if (holder !== undefined && subscript !== undefined) return subscriptErrors(path, holder, subscript);
  // The name of an older version.
  const today = field === 'spec.host' ? 'spec.nodeName' : field;
  if (fields.includes(today)) return NONE;
  return KNOWN.has(today)
    ? [notSupported(at, today, fields)]
    : unconvertible(at, field, `field label not supported: ${field}`);
}

function subscriptErrors(path: string, holder: string, subscript: string): Errors {
  if (holder === 'metadata.labels') return qualifiedNameErrors(path, subscript);
  if (holder === 'metadata.annotations') return qualifiedNameErrors(path, subscript.toLowerCase());
  const field = `${holder}['${subscript}']`;
  return unconvertible(`${path}.fieldPath`, field, `field label does not support subscript: ${field}`);
}

const unconvertible = (path: string, field: string, why: string): Errors => [
  invalid(path, field, `error converting fieldPath: ${why}`),
];

const LIMITS = ['cpu', 'ephemeral-storage', 'memory'].map(name => `limits.${name}`);
const RESOURCES = [...LIMITS, ...LIMITS.map(name => name.replace('limits', 'requests'))];
const HUGE = /^(limits|requests)\.hugepages-/;
const SIZES = ['1', '1k', '1M', '1G', '1T', '1P', '1E', '1Ki', '1Mi', '1Gi', '1Ti', '1Pi', '1Ei'];
const SIZED: Readonly<Record<string, string>> = { memory: 'memory', 'ephemeral-storage': 'local ephemeral storage' };

/** Of the container that asks. */
export function ownResourceErrors(path: string, reference: JsonObject): Errors {
  const [at, name] = [`${path}.resource`, textAt(reference, 'resource')];
  const isKnown = RESOURCES.includes(name) || HUGE.test(name);
  return [
    ...(name === '' ? [required(at)] : isKnown ? NONE : [notSupported(at, name, RESOURCES)]),
    ...divisorErrors(`${path}.divisor`, name, String(reference.divisor ?? '')),
  ];
}

/** In a file, which no container owns, the container is named. */
export function fileResourceErrors(path: string, reference: JsonObject): Errors {
  const [at, name] = [`${path}.resource`, textAt(reference, 'resource')];
  const divisor = divisorErrors(`${path}.divisor`, name, String(reference.divisor ?? ''));
  if (textAt(reference, 'containerName') === '') return [required(`${path}.containerName`), ...divisor];
  if (name === '') return [required(at), ...divisor];
  const isKnown = RESOURCES.includes(name) || HUGE.test(name);
  return isKnown ? divisor : [notSupported(at, name, RESOURCES), ...divisor];
}

/** The real server shows the resource where the divisor is wrong. */
function divisorErrors(path: string, name: string, divisor: string): Errors {
  if ((nanoOf(divisor) ?? 0n) === 0n) return NONE;
  const [canonical, of] = [canonicalQuantity(divisor) ?? '', name.replace(/^(limits|requests)\./, '')];
  const wrong = (values: string, kind: string): Errors => [
    invalid(path, name, `only divisor's values ${values} are supported with the ${kind} resource`),
  ];
  if (of === 'cpu') return canonical === '1' || canonical === '1m' ? NONE : wrong('1m and 1', 'cpu');
  const kind = SIZED[of] ?? (HUGE.test(name) ? 'hugepages' : undefined);
  return kind === undefined || SIZES.includes(canonical) ? NONE : wrong(SIZES.join(', '), kind);
}
