// What a delete asks for: grace, propagation, preconditions; from the body, else from the query.

import { badRequest, invalid } from '../answer/status.ts';
import type { Call } from '../core.ts';
import type { FieldError, JsonObject } from '../parts.ts';
import { hasBody } from '../request/body.ts';
import { truthy } from '../request/list-options.ts';
import { isObject, listAt, objectAt, stringAt } from '../rules/json.ts';
import { optionsInBody } from './delete-options-body.ts';

export type Propagation = 'Orphan' | 'Background' | 'Foreground';

export interface DeleteOptions {
  readonly graceSeconds: number | undefined;
  readonly propagation: Propagation | undefined;
  /** The old way to say Orphan (true) or Background (false). */
  readonly orphanDependents: boolean | undefined;
  readonly uid: string | undefined;
  readonly resourceVersion: string | undefined;
  readonly dryRun: boolean;
}

const PROPAGATIONS: readonly string[] = ['Foreground', 'Background', 'Orphan'];

export function deleteOptions(call: Call): DeleteOptions {
  return optionsFrom(hasBody(call.request) ? optionsInBody(call) : fromQuery(call.query));
}

/** The options that a DeleteOptions object says, for instance the one inside an Eviction. */
export function optionsFrom(raw: JsonObject): DeleteOptions {
  const errors = problems(raw);
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', resource: 'DeleteOptions', name: '' }, errors);
  const { gracePeriodSeconds, orphanDependents } = raw;
  const preconditions = objectAt(raw, 'preconditions');
  return {
    graceSeconds: typeof gracePeriodSeconds === 'number' ? gracePeriodSeconds : undefined,
    propagation: propagationOf(raw),
    orphanDependents: typeof orphanDependents === 'boolean' ? orphanDependents : undefined,
    uid: textOf(preconditions, 'uid'),
    resourceVersion: textOf(preconditions, 'resourceVersion'),
    dryRun: listAt(raw, 'dryRun').length > 0,
  };
}

const textOf = (object: JsonObject, key: string): string | undefined =>
  typeof object[key] === 'string' ? stringAt(object, key) : undefined;

function propagationOf(raw: JsonObject): Propagation | undefined {
  const said = raw.propagationPolicy;
  return said === 'Orphan' || said === 'Background' || said === 'Foreground' ? said : undefined;
}

function integerIn(text: string): number {
  const problem = /^[-+]?\d+$/.test(text) ? 'value out of range' : 'invalid syntax';
  if (/^[-+]?\d{1,15}$/.test(text)) return Number(text);
  throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: ${problem}`);
}

function fromQuery(query: URLSearchParams): JsonObject {
  const raw: Record<string, number | string | boolean | readonly string[]> = {};
  const grace = query.get('gracePeriodSeconds');
  if (grace !== null) raw.gracePeriodSeconds = integerIn(grace);
  const policy = query.get('propagationPolicy');
  if (policy !== null) raw.propagationPolicy = policy;
  if (query.has('dryRun')) raw.dryRun = query.getAll('dryRun');
  if (query.has('orphanDependents')) raw.orphanDependents = truthy(query.get('orphanDependents'));
  return raw;
}

function problems(raw: JsonObject): readonly FieldError[] {
  const { propagationPolicy: policy, orphanDependents: orphan, dryRun } = raw;
  const errors: FieldError[] = [];
  if (policy !== undefined && policy !== null && orphan !== undefined && orphan !== null) {
    const why = 'orphanDependents and deletionPropagation cannot be both set';
    errors.push({
      type: 'Invalid',
      field: 'propagationPolicy',
      message: `Invalid value: ${JSON.stringify(policy)}: ${why}`,
    });
  }
  if (typeof policy === 'string' && !PROPAGATIONS.includes(policy)) {
    const message = `Unsupported value: ${JSON.stringify(policy)}: supported values: "Foreground", "Background", "Orphan", "nil"`;
    errors.push({ type: 'NotSupported', field: 'propagationPolicy', message });
  }
  const unknown = Array.isArray(dryRun) ? dryRun.find(value => value !== 'All') : undefined;
  if (unknown !== undefined && !isObject(unknown)) {
    const message = `Unsupported value: ${JSON.stringify(dryRun)}: supported values: "All"`;
    errors.push({ type: 'NotSupported', field: 'dryRun', message });
  }
  return errors;
}
