// Which single object a request is about, when only its field selector says so.

import type { Attributes } from '../parts.ts';

/** One `field=value` of a field selector; inequalities are left out, because they never narrow to one value. */
interface FieldEquals {
  readonly field: string;
  readonly value: string;
}

/** The equalities of a field selector. A backslash escapes a comma, an equals sign or itself. */
function fieldEqualities(selector: string): readonly FieldEquals[] {
  if (selector === '') return [];
  return selector.split(/(?<!\\),/).flatMap(term => {
    const match = /^([^=!]+)==?(.*)$/.exec(term.trim());
    return match === null ? [] : [{ field: match[1] ?? '', value: (match[2] ?? '').replaceAll(/\\(.)/g, '$1') }];
  });
}

/** Whether the selector admits objects only whose `field` is `value`. */
export const selects = (selector: string, field: string, value: string): boolean =>
  fieldEqualities(selector).some(term => term.field === field && term.value === value);

/** The name in the path, or the one that a list or watch of a single object selects. */
export function targetName(attributes: Attributes): string {
  if (attributes.name !== '' || attributes.fieldSelector === '') return attributes.name;
  return fieldEqualities(attributes.fieldSelector).find(term => term.field === 'metadata.name')?.value ?? '';
}
