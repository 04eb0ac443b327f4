// Seccomp and AppArmor profiles: of a known type, and a name only for those that lie on the Node.

import type { JsonObject } from '../../parts.ts';
import { invalid, notSupported, required, tooLong } from '../../schema/field-errors.ts';
import { textAt } from '../json.ts';
import { NONE, ofObject } from './fields.ts';
import { descendingErrors } from './paths.ts';
import type { Errors } from './texts.ts';

const TYPES = ['Localhost', 'RuntimeDefault', 'Unconfined'];
const MAX_BYTES = 4095;

export const seccompErrors = ofObject<unknown>((path, profile) => {
  const [type, { localhostProfile: file }] = [textAt(profile, 'type'), profile];
  return [...seccompTypeErrors(`${path}.type`, type), ...seccompFileErrors(`${path}.localhostProfile`, type, file)];
});

function seccompTypeErrors(path: string, type: string): Errors {
  if (type === '') return [required(path, 'type is required when seccompProfile is set')];
  return TYPES.includes(type) ? NONE : [notSupported(path, type, TYPES)];
}

function seccompFileErrors(path: string, type: string, file: JsonObject[string] | undefined): Errors {
  if (type === 'Localhost') {
    if (typeof file === 'string') return descendingErrors(path, file);
    return [required(path, 'must be set when seccomp type is Localhost')];
  }
  if (file === undefined) return NONE;
  // Kubernetes shows the profile as its own code has it.
  return [invalid(path, { Type: type, LocalhostProfile: file }, 'can only be set when seccomp type is Localhost')];
}

export const appArmorErrors = ofObject<unknown>((path, profile) => {
  const [type, { localhostProfile: name }] = [textAt(profile, 'type'), profile];
  const at = `${path}.localhostProfile`;
  if (type === '') return [required(`${path}.type`, 'type is required when appArmorProfile is set')];
  if (!TYPES.includes(type)) return [notSupported(`${path}.type`, type, TYPES)];
  if (type === 'Localhost') return localNameErrors(at, textAt(profile, 'localhostProfile'));
  return name === undefined ? NONE : [invalid(at, name, 'can only be set when AppArmor type is Localhost')];
});

function localNameErrors(path: string, name: string): Errors {
  if (name === '') return [required(path, 'must be set when AppArmor type is Localhost')];
  return [
    ...(name.trim() === name ? NONE : [invalid(path, name, 'must not be padded with whitespace')]),
    ...(Buffer.byteLength(name) > MAX_BYTES ? [tooLong(path, MAX_BYTES)] : NONE),
  ];
}
