// Which options of a list or watch go together, and what is said of those that do not.

import { invalid } from '../answer/status.ts';
import type { FieldError } from '../parts.ts';
import type { ListOptions } from './list-options.ts';

const NOT_OLDER = 'NotOlderThan';

export const checkListOptions = (options: ListOptions): void => refuseIfAny(listProblems(options));

export const checkWatchOptions = (options: ListOptions): void => refuseIfAny(watchProblems(options));

function refuseIfAny(errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', resource: 'ListOptions', name: '' }, errors);
}

function listProblems(options: ListOptions): readonly FieldError[] {
  const initial =
    options.sendInitialEvents === undefined
      ? []
      : [forbidden('sendInitialEvents is forbidden for list', 'sendInitialEvents')];
  return [...(options.resourceVersionMatch === '' ? [] : matchProblems(options)), ...initial];
}

function matchProblems({ resourceVersion, resourceVersionMatch: match, continueToken }: ListOptions): FieldError[] {
  const errors: FieldError[] = [];
  if (resourceVersion === '') {
    errors.push(forbidden('resourceVersionMatch is forbidden unless resourceVersion is provided'));
  }
  if (continueToken !== '') errors.push(withToken());
  if (match !== 'Exact' && match !== NOT_OLDER) errors.push(unsupported(match, ['Exact', NOT_OLDER, '']));
  if (match === 'Exact' && resourceVersion === '0') {
    errors.push(forbidden('resourceVersionMatch "exact" is forbidden for resourceVersion "0"'));
  }
  return errors;
}

function watchProblems({ sendInitialEvents, resourceVersionMatch: match, continueToken }: ListOptions): FieldError[] {
  const errors: FieldError[] = [];
  if (sendInitialEvents !== undefined && match !== NOT_OLDER) {
    errors.push(forbidden(`sendInitialEvents requires setting resourceVersionMatch to ${NOT_OLDER}`));
  }
  if (match !== '' && sendInitialEvents === undefined) {
    errors.push(forbidden('resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided'));
  }
  if (match !== '' && match !== NOT_OLDER) errors.push(unsupported(match, [NOT_OLDER]));
  if (continueToken !== '') errors.push(withToken());
  return errors;
}

const withToken = (): FieldError => forbidden('resourceVersionMatch is forbidden when continue is provided');

const forbidden = (why: string, field = 'resourceVersionMatch'): FieldError => ({
  type: 'Forbidden',
  field,
  message: `Forbidden: ${why}`,
});

const unsupported = (match: string, supported: readonly string[]): FieldError => ({
  type: 'NotSupported',
  field: 'resourceVersionMatch',
  message: `Unsupported value: ${JSON.stringify(match)}: supported values: ${supported.map(each => JSON.stringify(each)).join(', ')}`,
});
