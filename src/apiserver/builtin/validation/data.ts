// What Secrets and ConfigMaps must hold: keys that can be file names, and what their type promises.

import type { FieldError, JsonObject } from '../../parts.ts';
import { forbidden, invalid, required, tooLong } from '../../schema/field-errors.ts';
import { objectAt, sameJson, textAt } from '../json.ts';
import { configKeyErrors, type Errors } from './texts.ts';

const MAX_BYTES = 1_048_576;
const ACCOUNT_NAME = 'kubernetes.io/service-account.name';

export function secretErrors(secret: JsonObject): Errors {
  const data = objectAt(secret, 'data');
  const keys = Object.keys(data).flatMap(key => configKeyErrors(`data[${key}]`, key));
  const bytes = Object.values(data).reduce<number>((sum, value) => sum + base64Bytes(String(value)), 0);
  return [...keys, ...(bytes > MAX_BYTES ? [tooLong('data', MAX_BYTES)] : []), ...typeErrors(secret, data)];
}

const base64Bytes = (text: string): number => Math.floor((text.replace(/=+$/, '').length * 3) / 4);

/** Keys that a type cannot do without. */
const NEEDS: Readonly<Record<string, readonly string[]>> = {
  'kubernetes.io/tls': ['tls.crt', 'tls.key'],
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
  'kubernetes.io/dockercfg': ['.dockercfg'],
  'kubernetes.io/ssh-auth': ['ssh-privatekey'],
};

function typeErrors(secret: JsonObject, data: JsonObject): Errors {
  const type = textAt(secret, 'type');
  const missing = (NEEDS[type] ?? []).filter(key => data[key] === undefined);
  if (missing.length > 0) return missing.map(key => required(`data[${key}]`));
  if (type === 'kubernetes.io/dockerconfigjson') return jsonErrors('.dockerconfigjson', data);
  if (type === 'kubernetes.io/dockercfg') return jsonErrors('.dockercfg', data);
  const isLogin = data.username !== undefined || data.password !== undefined;
  if (type === 'kubernetes.io/basic-auth' && !isLogin) return [required('data[username]'), required('data[password]')];
  if (type !== 'kubernetes.io/service-account-token') return [];
  const account = textAt(objectAt(objectAt(secret, 'metadata'), 'annotations'), ACCOUNT_NAME);
  return account === '' ? [required(`metadata.annotations[${ACCOUNT_NAME}]`)] : [];
}

/** The value itself is never repeated (safe-20). */
function jsonErrors(key: string, data: JsonObject): Errors {
  const text = Buffer.from(String(data[key]), 'base64').toString();
  try {
    JSON.parse(text);
    return [];
  } catch {
    const why = `invalid character '${text.trim().slice(0, 1)}' looking for beginning of value`;
    return [invalid(`data[${key}]`, '<secret contents redacted>', why)];
  }
}

export function configMapErrors(configMap: JsonObject, old: JsonObject | undefined): Errors {
  const [data, binary] = [objectAt(configMap, 'data'), objectAt(configMap, 'binaryData')];
  const keys = Object.keys(data).flatMap(key => [
    ...configKeyErrors(`data[${key}]`, key),
    ...(Object.hasOwn(binary, key) ? [invalid(`data[${key}]`, key, 'duplicate of key present in binaryData')] : []),
  ]);
  const binaryKeys = Object.keys(binary).flatMap(key => configKeyErrors(`binaryData[${key}]`, key));
  const texts = Object.values(data).reduce<number>((sum, value) => sum + Buffer.byteLength(String(value)), 0);
  const bytes = Object.values(binary).reduce<number>((sum, value) => sum + base64Bytes(String(value)), texts);
  const size: FieldError[] = bytes > MAX_BYTES ? [tooLong('[]', MAX_BYTES)] : [];
  return [...keys, ...binaryKeys, ...size, ...(old?.immutable === true ? fixedErrors(configMap, old) : [])];
}

function fixedErrors(configMap: JsonObject, old: JsonObject): Errors {
  const fixed = (field: string): FieldError => forbidden(field, 'field is immutable when `immutable` is set');
  return [
    ...(configMap.immutable === true ? [] : [fixed('immutable')]),
    ...['data', 'binaryData'].filter(key => !sameJson(objectAt(configMap, key), objectAt(old, key))).map(fixed),
  ];
}
