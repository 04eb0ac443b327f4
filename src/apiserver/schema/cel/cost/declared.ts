// How large the values of a schema can get: what the estimate of a rule's cost begins with.

import type { Structural } from '../../structural.ts';
import { escapedName } from '../escape.ts';

/** A CEL type as far as costs depend on it. */
export interface CelType {
  readonly kind: string;
  readonly key?: CelType;
  readonly item?: CelType;
}

export interface Declared {
  readonly type: CelType;
  /** Characters, bytes, items or entries; 0 where values have no size. */
  readonly most: number;
  /** The fewest bytes that a value takes as JSON. */
  readonly leastBytes: number;
  readonly fields?: ReadonlyMap<string, Declared>;
  readonly key?: Declared;
  readonly item?: Declared;
}

/** The largest request that Kubernetes takes. */
export const MOST_BYTES = 3 * 1024 * 1024;
const LONGEST_TEXT = MOST_BYTES - 2;
const BYTES_PER_CHARACTER = 4;

const simple = (kind: string, leastBytes: number, most = 0): Declared => ({ type: { kind }, leastBytes, most });

const TEXT = simple('string', 2);
const NAMES = new Map([
  ['name', simple('string', 2, LONGEST_TEXT)],
  ['generateName', simple('string', 2, LONGEST_TEXT)],
]);
const OBJECT: CelType = { kind: 'struct' };

/** Undefined: rules see nothing of such values. */
export function declaredOf(schema: Structural, place: 'root' | 'below'): Declared | undefined {
  if (schema.intOrString) {
    const { maxLength } = schema.limits;
    return simple('dyn', 1, maxLength === undefined ? LONGEST_TEXT : inBytes(maxLength));
  }
  switch (schema.types[0]) {
    case 'array':
      return listOf(schema);
    case 'object':
      return typeof schema.additional === 'object' ? mapOf(schema, schema.additional) : structOf(schema, place);
    case 'string':
      return textOf(schema);
    case 'boolean':
      return simple('bool', 4);
    case 'number':
      return simple('double', 1);
    case 'integer':
      return simple('int', 1);
    default:
      return undefined;
  }
}

const below = (schema: Structural): Declared | undefined => declaredOf(schema, schema.embedded ? 'root' : 'below');

function listOf({ items, limits }: Structural): Declared | undefined {
  const item = items === undefined ? undefined : below(items);
  if (item === undefined) return undefined;
  const most = limits.maxItems ?? Math.floor((MOST_BYTES - 2) / (item.leastBytes + 1));
  return { type: { kind: 'list', item: item.type }, most: Math.max(0, most), leastBytes: 2, item };
}

/** A key takes six bytes at least: its own two, quotes, colon and comma. */
function mapOf({ limits }: Structural, values: Structural): Declared | undefined {
  const item = below(values);
  if (item === undefined) return undefined;
  const most = limits.maxProperties ?? Math.floor((MOST_BYTES - 2) / (item.leastBytes + 6));
  const type = { kind: 'map', key: TEXT.type, item: item.type };
  return { type, most: Math.max(0, most), leastBytes: 2, key: TEXT, item };
}

function structOf(schema: Structural, place: 'root' | 'below'): Declared {
  const fields = new Map<string, Declared>();
  let leastBytes = 2;
  for (const [name, property] of schema.properties) {
    const declared = below(property);
    if (declared === undefined) continue;
    const escaped = escapedName(name);
    if (escaped !== undefined) fields.set(escaped, declared);
    // What has a default need not be sent.
    const isSent = schema.required.includes(name) && property.default === undefined;
    if (isSent) leastBytes += name.length + declared.leastBytes + 4;
  }
  if (place === 'root' && !namesItself(schema)) {
    const text = simple('string', 2, LONGEST_TEXT);
    fields.set('apiVersion', text).set('kind', text);
    fields.set('metadata', { type: OBJECT, most: 0, leastBytes: 2, fields: NAMES });
  }
  return { type: OBJECT, most: 0, leastBytes, fields };
}

/** Whether the schema itself says what kind, version and names look like. */
function namesItself({ properties }: Structural): boolean {
  const isText = (schema: Structural | undefined): boolean => schema?.types[0] === 'string';
  const metadata = properties.get('metadata')?.properties;
  const texts = [properties.get('kind'), properties.get('apiVersion'), metadata?.get('name')];
  return [...texts, metadata?.get('generateName')].every(isText);
}

const inBytes = (characters: number): number => Math.max(0, characters) * BYTES_PER_CHARACTER;

function textOf({ format, limits, enum: values }: Structural): Declared {
  const { maxLength } = limits;
  switch (format.replaceAll('-', '')) {
    case 'byte':
      return simple('bytes', 2, maxLength === undefined ? LONGEST_TEXT : Math.max(0, maxLength));
    case 'duration':
      return simple('duration', 3, 32);
    case 'date':
      return simple('timestamp', 12, 12);
    case 'datetime':
      return simple('timestamp', 21, 32);
    default:
      if (maxLength !== undefined) return simple('string', 2, inBytes(maxLength));
      return simple('string', 2, values === undefined || values.length === 0 ? LONGEST_TEXT : longest(values));
  }
}

const longest = (values: readonly unknown[]): number =>
  Math.max(0, ...values.map(value => (typeof value === 'string' ? Buffer.byteLength(value) : 0)));
