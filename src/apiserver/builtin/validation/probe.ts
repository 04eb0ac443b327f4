// What a probe must be: one handler, and times that are possible.

import type { JsonObject } from '../../parts.ts';
import { invalid } from '../../schema/field-errors.ts';
import { countAt } from '../counts.ts';
import { numberAt } from '../json.ts';
import { type Checks, NONE, ofObject } from './fields.ts';
import { lifecycleErrors, probeHandlerErrors } from './handlers.ts';
import type { ContainerView } from './pod-view.ts';
import { type Errors, nonNegativeErrors } from './texts.ts';

const TIMES = ['initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold'];

function probeErrors(path: string, probe: JsonObject, view: ContainerView): Errors {
  const patience = numberAt(probe, 'terminationGracePeriodSeconds');
  const isOver = patience !== undefined && patience <= 0;
  return [
    ...probeHandlerErrors(path, probe, view),
    ...TIMES.flatMap(key => nonNegativeErrors(path, probe, key)),
    ...(isOver ? [invalid(`${path}.terminationGracePeriodSeconds`, patience, 'must be greater than 0')] : NONE),
  ];
}

/** A container that is alive, or has started, stays so. */
const lastingErrors = ofObject<ContainerView>((path, probe, view) => {
  const times = countAt(probe, 'successThreshold');
  const once = times === 1 ? NONE : [invalid(`${path}.successThreshold`, times, 'must be 1')];
  return [...probeErrors(path, probe, view), ...once];
});

/** Nothing ends because it is not ready. */
const readinessErrors = ofObject<ContainerView>((path, probe, view) => {
  const { terminationGracePeriodSeconds: patience } = probe;
  const at = `${path}.terminationGracePeriodSeconds`;
  const never = patience === undefined ? NONE : [invalid(at, patience, 'must not be set for readinessProbes')];
  return [...probeErrors(path, probe, view), ...never];
});

/** Of what runs as long as its Pod. */
export const LASTING: Checks<ContainerView> = [
  ['lifecycle', lifecycleErrors],
  ['livenessProbe', lastingErrors],
  ['readinessProbe', readinessErrors],
  ['startupProbe', lastingErrors],
];
