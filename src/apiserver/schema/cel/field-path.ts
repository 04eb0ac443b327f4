// The `fieldPath` of a rule: which field below its value the error is about.

import type { Structural } from '../structural.ts';

/** `.a['b']` as `.a.b` or `.m[key]`; undefined when it does not lead to a field of the schema. */
export function rulePath(schema: Structural, path: string): string | undefined {
  if (path === '') return '';
  let rest = path;
  let current: Structural | undefined = schema;
  let found = '';
  while (rest !== '') {
    const match: RegExpExecArray | null = /^(?:\.([^.[\]]+)|\['((?:[^'\\]|\\.)*)'\])/.exec(rest);
    if (match === null || current === undefined) return undefined;
    const name = match[1] ?? (match[2] ?? '').replaceAll(/\\(.)/g, '$1');
    const step = stepInto(current, name);
    if (step === undefined) return undefined;
    found += step.text;
    current = step.schema;
    rest = rest.slice(match[0].length);
  }
  return found;
}

interface Step {
  readonly text: string;
  readonly schema: Structural | undefined;
}

function stepInto(schema: Structural, name: string): Step | undefined {
  if (schema.properties.size > 0) {
    const property = schema.properties.get(name);
    return property === undefined ? undefined : { text: `.${name}`, schema: property };
  }
  if (typeof schema.additional !== 'object') return undefined;
  return { text: `[${name}]`, schema: schema.additional };
}
