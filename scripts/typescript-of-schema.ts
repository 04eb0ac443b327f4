// What a structural schema reads like as a TypeScript type.

/** The part of an OpenAPI v3 structural schema that decides a type. */
export interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: boolean | Schema;
  readonly enum?: readonly unknown[];
  readonly nullable?: boolean;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
}

const ANY_KEY = 'Readonly<Record<string, unknown>>';

/** The type of a value that this schema admits, indented as the body of something at `depth`. */
export function typeOf(schema: Schema, depth = 0): string {
  const bare = bareTypeOf(schema, depth);
  return schema.nullable === true && bare !== 'unknown' ? `${bare} | null` : bare;
}

function bareTypeOf(schema: Schema, depth: number): string {
  if (schema['x-kubernetes-int-or-string'] === true) return 'number | string';
  if (schema.enum !== undefined) return schema.enum.map(literalOf).join(' | ');
  if (schema.type === 'array') return arrayTypeOf(schema.items ?? {}, depth);
  if (schema.type === 'object') return objectTypeOf(schema, depth);
  return scalarTypeOf(schema.type);
}

function scalarTypeOf(type: string | undefined): string {
  if (type === 'integer' || type === 'number') return 'number';
  return type === 'string' || type === 'boolean' ? type : 'unknown';
}

function arrayTypeOf(items: Schema, depth: number): string {
  const item = typeOf(items, depth);
  const isUnion = items.type !== 'object' && item.includes(' | ');
  const isOpen = item.endsWith(` & ${ANY_KEY}`);
  return isUnion || isOpen || items.nullable === true ? `readonly (${item})[]` : `readonly ${item}[]`;
}

function objectTypeOf(schema: Schema, depth: number): string {
  const keepsUnknown = schema['x-kubernetes-preserve-unknown-fields'] === true;
  if (schema.properties !== undefined) {
    const body = membersOf(schema, depth);
    return keepsUnknown ? `${body} & ${ANY_KEY}` : body;
  }
  if (keepsUnknown) return 'unknown';
  const values = schema.additionalProperties;
  if (typeof values === 'object') return `Readonly<Record<string, ${typeOf(values, depth)}>>`;
  return ANY_KEY;
}

/** The members of an object schema in braces. */
export function membersOf(schema: Schema, depth: number): string {
  const members = Object.entries(schema.properties ?? {}).map(([name, property]) =>
    memberOf(name, property, { required: schema.required?.includes(name) === true, depth: depth + 1 }),
  );
  return members.length === 0 ? '{}' : `{\n${members.join('')}${indent(depth)}}`;
}

function memberOf(name: string, schema: Schema, at: { readonly required: boolean; readonly depth: number }): string {
  const optional = at.required ? '' : '?';
  const type = isConditionList(name, schema) ? 'readonly Condition[]' : typeOf(schema, at.depth);
  return `${docOf(schema.description, at.depth)}${indent(at.depth)}readonly ${keyOf(name)}${optional}: ${type};\n`;
}

/** Lists of `metav1.Condition` (or Cluster API's older shape) share the one type that the runtime writes. */
function isConditionList(name: string, schema: Schema): boolean {
  const item = schema.items?.properties;
  return name === 'conditions' && item?.type !== undefined && item.status !== undefined;
}

/** A description as a doc comment with its line end, or nothing. */
export function docOf(description: string | undefined, depth: number): string {
  if (description === undefined || description.trim() === '') return '';
  const text = description.trim().replaceAll(/\s+/g, ' ').replaceAll('*/', '* /');
  return `${indent(depth)}/** ${text} */\n`;
}

const indent = (depth: number): string => '  '.repeat(depth);

const keyOf = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : literalOf(name));

function literalOf(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'` : String(value);
}
