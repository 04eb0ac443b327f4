// The options of a log: read as Go reads a query, checked, and put as the kubelet is asked.

import { badRequest, invalid } from '../answer/status.ts';
import type { Call } from '../core.ts';
import type { FieldError } from '../parts.ts';
import { truthy } from '../request/list-options.ts';
import { invalidValue } from '../rules/metadata.ts';

const FLAGS = ['follow', 'previous', 'timestamps'] as const;
const NUMBERS = ['limitBytes', 'sinceSeconds', 'tailLines'] as const;

/** The kubelet's query: sorted, without what is not said. */
export function kubeletLogQuery(call: Call): string {
  const numbers = new Map(NUMBERS.flatMap(name => numberIn(call.query, name)));
  const since = sinceTime(call.query);
  const errors = problems(call.query, numbers);
  if (errors.length > 0) throw invalid({ group: '', resource: 'PodLogOptions', name: call.path.name }, errors);
  const said = new URLSearchParams();
  for (const flag of FLAGS) if (call.query.has(flag) && truthy(call.query.get(flag))) said.set(flag, 'true');
  for (const [name, value] of numbers) said.set(name, String(value));
  if (since !== undefined) said.set('sinceTime', since);
  said.sort();
  return said.toString();
}

function numberIn(query: URLSearchParams, name: string): readonly (readonly [string, number])[] {
  const text = query.get(name);
  if (text === null || text === '') return [];
  if (!/^[+-]?\d+$/.test(text)) throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
  return [[name, Number(text)]];
}

const RFC3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

function sinceTime(query: URLSearchParams): string | undefined {
  const text = query.get('sinceTime');
  if (text === null || text === '') return undefined;
  if (RFC3339.test(text)) return text;
  const quoted = JSON.stringify(text);
  const expected = /^\d{4}/.test(text) ? '2006-01-02T15:04:05Z07:00' : '2006';
  throw badRequest(`parsing time ${quoted} as "2006-01-02T15:04:05Z07:00": cannot parse ${quoted} as "${expected}"`);
}

function problems(query: URLSearchParams, numbers: ReadonlyMap<string, number>): readonly FieldError[] {
  const [tail, limit, seconds] = [numbers.get('tailLines'), numbers.get('limitBytes'), numbers.get('sinceSeconds')];
  const hasBoth = seconds !== undefined && query.has('sinceTime');
  return [
    ...(tail !== undefined && tail < 0 ? [invalidValue('tailLines', tail, 'must be greater than or equal to 0')] : []),
    ...(limit !== undefined && limit < 1 ? [invalidValue('limitBytes', limit, 'must be greater than 0')] : []),
    ...(hasBoth ? [forbiddenField('[]', 'at most one of `sinceTime` or `sinceSeconds` may be specified')] : []),
    ...(seconds !== undefined && seconds < 1 && !hasBoth
      ? [invalidValue('sinceSeconds', seconds, 'must be greater than 0')]
      : []),
    // Only behind a feature gate that is off.
    ...(query.has('stream') ? [forbiddenField('stream', 'may not be specified')] : []),
  ];
}

const forbiddenField = (field: string, why: string): FieldError => ({
  type: 'Forbidden',
  field,
  message: `Forbidden: ${why}`,
});
