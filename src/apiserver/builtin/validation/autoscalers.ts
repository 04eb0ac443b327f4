// What HorizontalPodAutoscalers must be: bounds, what is scaled, by which metrics, and how fast.

import type { Json, JsonObject } from '../../parts.ts';
import { forbidden, invalid, notSupported, required } from '../../schema/field-errors.ts';
import { countAt } from '../counts.ts';
import { isObject, numberAt, objectAt, objectsAt, textAt } from '../json.ts';
import { nanoOf } from '../quantity.ts';
import type { Errors } from './texts.ts';

export function autoscalerErrors(autoscaler: JsonObject, _old: JsonObject | undefined, part: string): Errors {
  if (part === 'status') return [];
  const spec = objectAt(autoscaler, 'spec');
  return [
    ...boundErrors(spec),
    ...targetRefErrors('spec.scaleTargetRef', objectAt(spec, 'scaleTargetRef')),
    ...objectsAt(spec, 'metrics').flatMap((metric, index) => metricErrors(`spec.metrics[${index}]`, metric)),
    ...zeroErrors(spec),
    ...behaviorErrors(spec),
  ];
}

function boundErrors(spec: JsonObject): Errors {
  const [least, most] = [numberAt(spec, 'minReplicas'), countAt(spec, 'maxReplicas')];
  const path = 'spec.maxReplicas';
  return [
    ...(least !== undefined && least < 1
      ? [invalid('spec.minReplicas', least, 'must be greater than or equal to 1')]
      : []),
    ...(most === 0 ? [required(path, 'must be set and greater than 0')] : []),
    ...(most < 0 ? [invalid(path, most, 'must be greater than or equal to 1')] : []),
    ...(least !== undefined && most < least
      ? [invalid(path, most, 'must be greater than or equal to `minReplicas`')]
      : []),
  ];
}

/** Nothing runs that could be measured: only what is outside can wake it. */
function zeroErrors(spec: JsonObject): Errors {
  const isOutside = objectsAt(spec, 'metrics').some(({ type }) => type === 'Object' || type === 'External');
  if (spec.minReplicas !== 0 || isOutside) return [];
  const why = 'must specify at least one Object or External metric to support scaling to zero replicas';
  return [forbidden('spec.metrics', why)];
}

const segmentErrors = (path: string, name: string): Errors =>
  ['/', '%'].flatMap(sign => (name.includes(sign) ? [invalid(path, name, `may not contain '${sign}'`)] : []));

function referenceErrors(path: string, reference: JsonObject): Errors {
  return ['kind', 'name'].flatMap(key => {
    const name = textAt(reference, key);
    return name === '' ? [required(`${path}.${key}`)] : segmentErrors(`${path}.${key}`, name);
  });
}

function targetRefErrors(path: string, reference: JsonObject): Errors {
  const version = textAt(reference, 'apiVersion');
  const wrong = (why: string): Errors => [invalid(`${path}.apiVersion`, version, why)];
  const slashes = version.split('/').length - 1;
  const isCore = version === '' ? reference.kind !== 'ReplicationController' : false;
  return [
    ...referenceErrors(path, reference),
    ...(slashes > 1 ? wrong(`unexpected GroupVersion string: ${version}`) : []),
    ...(isCore ? wrong('apiVersion must specify API group') : []),
  ];
}

interface Source {
  readonly key: string;
  readonly check: (path: string, source: JsonObject) => Errors;
}

const SOURCES: Readonly<Record<string, Source>> = {
  ContainerResource: { key: 'containerResource', check: containerErrors },
  External: { key: 'external', check: externalErrors },
  Object: { key: 'object', check: objectErrors },
  Pods: { key: 'pods', check: podsErrors },
  Resource: { key: 'resource', check: resourceErrors },
};

function metricErrors(path: string, metric: JsonObject): Errors {
  const type = textAt(metric, 'type');
  const source = SOURCES[type];
  if (source === undefined) {
    const unsaid = type === '' ? [required(`${path}.type`, 'must specify a metric source type')] : [];
    // Found twice, and told twice.
    const unknown = notSupported(`${path}.type`, type, Object.keys(SOURCES));
    return [...unsaid, unknown, unknown];
  }
  const told = metric[source.key];
  const at = `${path}.${source.key}`;
  const others = Object.values(SOURCES).filter(({ key }) => key !== source.key && isObject(metric[key]));
  if (!isObject(told)) return [required(at, 'must populate information for the given metric source')];
  const why = 'must populate the given metric source only';
  return [...others.map(({ key }) => forbidden(`${path}.${key}`, why)), ...source.check(at, told)];
}

function resourceErrors(path: string, source: JsonObject): Errors {
  const unnamed = textAt(source, 'name') === '' ? [required(`${path}.name`, 'must specify a resource name')] : [];
  return [...unnamed, ...shareErrors(`${path}.target`, objectAt(source, 'target'))];
}

function containerErrors(path: string, source: JsonObject): Errors {
  const container = textAt(source, 'container');
  return [
    ...(textAt(source, 'name') === '' ? [required(`${path}.name`, 'must specify a resource name')] : []),
    ...(container === '' ? [required(`${path}.container`, 'must specify a container')] : []),
    ...segmentErrors(`${path}.container`, container),
    ...shareErrors(`${path}.target`, objectAt(source, 'target')),
  ];
}

const isSaid = (value: Json | undefined): value is Json => value !== undefined && value !== null;

/** Of what is asked for: a share of it, or an amount. */
function shareErrors(path: string, target: JsonObject): Errors {
  const { averageUtilization: share, averageValue: amount } = target;
  const neither = 'must set either a target raw value or a target utilization';
  const both = 'may not set both a target raw value and a target utilization';
  return [
    ...targetErrors(path, target),
    ...(isSaid(share) || isSaid(amount) ? [] : [required(`${path}.averageUtilization`, neither)]),
    ...(isSaid(share) && isSaid(amount) ? [forbidden(`${path}.averageValue`, both)] : []),
  ];
}

const TARGETS = ['Utilization', 'Value', 'AverageValue'];

function targetErrors(path: string, target: JsonObject): Errors {
  const type = textAt(target, 'type');
  const { averageUtilization: share } = target;
  return [
    ...(type === '' ? [required(`${path}.type`, 'must specify a metric target type')] : []),
    ...(TARGETS.includes(type)
      ? []
      : [invalid(`${path}.type`, type, 'must be either Utilization, Value, or AverageValue')]),
    ...['value', 'averageValue'].flatMap(key => amountErrors(`${path}.${key}`, target[key])),
    ...(typeof share === 'number' && share < 1
      ? [invalid(`${path}.averageUtilization`, share, 'must be greater than 0')]
      : []),
  ];
}

function amountErrors(path: string, amount: Json | undefined): Errors {
  const isFine = !isSaid(amount) || (nanoOf(String(amount)) ?? 0n) > 0n;
  return isFine ? [] : [invalid(path, amount, 'must be positive')];
}

function nameErrors(path: string, metric: JsonObject): Errors {
  const name = textAt(metric, 'name');
  return name === '' ? [required(`${path}.name`, 'must specify a metric name')] : segmentErrors(`${path}.name`, name);
}

function podsErrors(path: string, source: JsonObject): Errors {
  const target = objectAt(source, 'target');
  const why = 'must specify a positive target averageValue';
  return [
    ...nameErrors(`${path}.metric`, objectAt(source, 'metric')),
    ...targetErrors(`${path}.target`, target),
    ...(isSaid(target.averageValue) ? [] : [required(`${path}.target.averageValue`, why)]),
  ];
}

function objectErrors(path: string, source: JsonObject): Errors {
  const target = objectAt(source, 'target');
  const isNeither = !isSaid(target.value) && !isSaid(target.averageValue);
  return [
    ...referenceErrors(`${path}.describedObject`, objectAt(source, 'describedObject')),
    ...nameErrors(`${path}.metric`, objectAt(source, 'metric')),
    ...targetErrors(`${path}.target`, target),
    ...(isNeither ? [required(`${path}.target.averageValue`, 'must set either a target value or averageValue')] : []),
  ];
}

function externalErrors(path: string, source: JsonObject): Errors {
  const target = objectAt(source, 'target');
  const [whole, each] = [isSaid(target.value), isSaid(target.averageValue)];
  const neither = 'must set either a target value for metric or a per-pod target';
  const both = 'may not set both a target value for metric and a per-pod target';
  return [
    ...nameErrors(`${path}.metric`, objectAt(source, 'metric')),
    ...targetErrors(`${path}.target`, target),
    ...(whole || each ? [] : [required(`${path}.target.averageValue`, neither)]),
    ...(whole && each ? [forbidden(`${path}.target.value`, both)] : []),
  ];
}

const SELECTS = ['Disabled', 'Max', 'Min'];
const POLICY_TYPES = ['Percent', 'Pods'];
const MOST_PERIOD = 1800;
const MOST_WINDOW = 3600;

function behaviorErrors(spec: JsonObject): Errors {
  const behavior = objectAt(spec, 'behavior');
  return ['scaleUp', 'scaleDown'].flatMap(key => {
    const rules = behavior[key];
    return isObject(rules) ? rulesErrors(`spec.behavior.${key}`, rules) : [];
  });
}

function rulesErrors(path: string, rules: JsonObject): Errors {
  const window = numberAt(rules, 'stabilizationWindowSeconds');
  const { selectPolicy = null } = rules;
  const policies = objectsAt(rules, 'policies');
  return [
    ...(window === undefined ? [] : windowErrors(`${path}.stabilizationWindowSeconds`, window)),
    ...(selectPolicy === null || SELECTS.includes(String(selectPolicy))
      ? []
      : [notSupported(`${path}.selectPolicy`, selectPolicy, SELECTS)]),
    ...(policies.length === 0 ? [required(`${path}.policies`, 'must specify at least one Policy')] : []),
    ...policies.flatMap((policy, index) => policyErrors(`${path}.policies[${index}]`, policy)),
  ];
}

function windowErrors(path: string, seconds: number): Errors {
  if (seconds < 0) return [invalid(path, seconds, 'must be greater than or equal to zero')];
  return seconds > MOST_WINDOW ? [invalid(path, seconds, `must be less than or equal to ${MOST_WINDOW}`)] : [];
}

function policyErrors(path: string, policy: JsonObject): Errors {
  const [type, value, period] = [textAt(policy, 'type'), countAt(policy, 'value'), countAt(policy, 'periodSeconds')];
  const at = `${path}.periodSeconds`;
  return [
    ...(POLICY_TYPES.includes(type) ? [] : [notSupported(`${path}.type`, type, POLICY_TYPES)]),
    ...(value <= 0 ? [invalid(`${path}.value`, value, 'must be greater than zero')] : []),
    ...(period <= 0 ? [invalid(at, period, 'must be greater than zero')] : []),
    ...(period > MOST_PERIOD ? [invalid(at, period, `must be less than or equal to ${MOST_PERIOD}`)] : []),
  ];
}
