// Rows of what changes a number of replicas: HorizontalPodAutoscalers, and the Scale that they write to.

import type { JsonObject } from '../../parts.ts';
import { numberAt, objectAt, objectsAt, textAt } from '../json.ts';
import { age, type Cells, countAt, NONE, nameOf, specOf, statusOf, UNSET } from './cells.ts';

/** So many metrics fit into a cell; the others are counted. */
const SHOWN = 2;
const UNKNOWN = '<unknown>';

export const scaleCells: Cells = (scale, nowMs) => [
  nameOf(scale),
  countAt(specOf(scale), 'replicas'),
  countAt(statusOf(scale), 'replicas'),
  age(scale, nowMs),
];

export const autoscalerCells: Cells = (autoscaler, nowMs) => {
  const [spec, status] = [specOf(autoscaler), statusOf(autoscaler)];
  const target = objectAt(spec, 'scaleTargetRef');
  const smallest = numberAt(spec, 'minReplicas');
  return [
    nameOf(autoscaler),
    `${textAt(target, 'kind')}/${textAt(target, 'name')}`,
    metricsCell(objectsAt(spec, 'metrics'), objectsAt(status, 'currentMetrics')),
    smallest === undefined ? UNSET : String(smallest),
    countAt(spec, 'maxReplicas'),
    countAt(status, 'currentReplicas'),
    age(autoscaler, nowMs),
  ];
};

function metricsCell(wanted: readonly JsonObject[], seen: readonly JsonObject[]): string {
  if (wanted.length === 0) return NONE;
  const texts = wanted.map((metric, index) => metricText(metric, seen[index] ?? {}));
  const shown = texts.slice(0, SHOWN).join(', ');
  return texts.length > SHOWN ? `${shown} + ${texts.length - SHOWN} more...` : shown;
}

/** Where a metric of each type keeps what it is about. */
const FIELDS: Readonly<Record<string, string>> = {
  External: 'external',
  Pods: 'pods',
  Object: 'object',
  Resource: 'resource',
  ContainerResource: 'containerResource',
};

/** What is, of what is wanted: `cpu: 30%/80%`, `12/20 (avg)`. */
function metricText(metric: JsonObject, seen: JsonObject): string {
  const type = textAt(metric, 'type');
  const field = FIELDS[type];
  if (field === undefined) return '<unknown type>';
  const [own, current] = [objectAt(metric, field), objectAt(objectAt(seen, field), 'current')];
  const target = objectAt(own, 'target');
  const isAverage = textAt(target, 'averageValue') !== '';
  if (type === 'Resource' || type === 'ContainerResource') {
    const text = isAverage ? valueText(target, current, 'averageValue') : shareText(target, current);
    return `${textAt(own, 'name')}: ${text}`;
  }
  if (type === 'Pods') return valueText(target, current, 'averageValue');
  return isAverage ? `${valueText(target, current, 'averageValue')} (avg)` : valueText(target, current, 'value');
}

const valueText = (target: JsonObject, current: JsonObject, key: string): string =>
  `${textAt(current, key) || UNKNOWN}/${textAt(target, key)}`;

function shareText(target: JsonObject, current: JsonObject): string {
  const share = (of: JsonObject, otherwise: string): string => {
    const percent = numberAt(of, 'averageUtilization');
    return percent === undefined ? otherwise : `${percent}%`;
  };
  return `${share(current, UNKNOWN)}/${share(target, '<auto>')}`;
}
