// What a write asks for besides its body: dry run, field manager, field validation, preconditions.

import { invalid } from '../answer/status.ts';
import type { Call } from '../core.ts';
import type { FieldError } from '../parts.ts';
import { goQuoted } from '../rules/quoted.ts';

export interface WriteOptions {
  readonly dryRun: boolean;
  readonly fieldManager: string;
  readonly fieldValidation: 'Strict' | 'Warn' | 'Ignore';
}

const VALIDATION = ['Ignore', 'Warn', 'Strict'] as const;
/** Kubernetes' bound on the name of a field manager. */
const MAX_MANAGER_LENGTH = 128;

/** Reads the options; `kind` names them in refusals: `CreateOptions`. */
export function writeOptions({ query, request }: Call, kind: string): WriteOptions {
  const errors: FieldError[] = [];
  const dryRun = query.getAll('dryRun');
  if (dryRun.some(value => value !== 'All')) {
    const message = `Unsupported value: ${JSON.stringify(dryRun)}: supported values: "All"`;
    errors.push({ type: 'NotSupported', field: 'dryRun', message });
  }
  const manager = query.get('fieldManager') ?? '';
  if (Buffer.byteLength(manager) > MAX_MANAGER_LENGTH) {
    errors.push({
      type: 'TooLong',
      field: 'fieldManager',
      message: `Too long: may not be more than ${MAX_MANAGER_LENGTH} bytes`,
    });
  }
  const unprintable = [...manager].findIndex(letter => /[\p{C}\p{Zl}\p{Zp}]/u.test(letter));
  if (unprintable >= 0) errors.push(unprintableManager(manager, unprintable));
  const asked = query.get('fieldValidation') ?? '';
  const fieldValidation = VALIDATION.find(value => value === (asked === '' ? 'Warn' : asked));
  if (fieldValidation === undefined) {
    const message = `Unsupported value: ${JSON.stringify(asked)}: supported values: "", "Ignore", "Strict", "Warn"`;
    errors.push({ type: 'NotSupported', field: 'fieldValidation', message });
  }
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', resource: kind, name: '' }, errors);
  return {
    dryRun: dryRun.length > 0,
    fieldManager: manager === '' ? managerOf(request.headers['user-agent']) : manager,
    fieldValidation: fieldValidation ?? 'Warn',
  };
}

function unprintableManager(manager: string, at: number): FieldError {
  const code = (manager.codePointAt(at) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  const message = `Invalid value: ${goQuoted(manager)}: invalid character U+${code} (at position ${at})`;
  return { type: 'Invalid', field: 'fieldManager', message };
}

/** Without a name of its own, a client is named by its user agent up to the first slash. */
function managerOf(userAgent: string | undefined): string {
  const name = (userAgent ?? '').split('/')[0] ?? '';
  return name === '' ? 'unknown' : name.slice(0, MAX_MANAGER_LENGTH);
}
