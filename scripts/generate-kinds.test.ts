// What the generator makes of each construct that a structural schema can hold.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileNameOf, sourceOf } from './generate-kinds.ts';
import { type Schema, typeOf } from './typescript-of-schema.ts';

const cases: readonly (readonly [string, Schema, string])[] = [
  ['a string', { type: 'string' }, 'string'],
  ['an integer', { type: 'integer' }, 'number'],
  ['an enum', { type: 'string', enum: ['A', "it's"] }, "'A' | 'it\\'s'"],
  ['an enum of numbers', { type: 'integer', enum: [1, 2] }, '1 | 2'],
  ['int-or-string', { 'x-kubernetes-int-or-string': true }, 'number | string'],
  ['a map', { type: 'object', additionalProperties: { type: 'string' } }, 'Readonly<Record<string, string>>'],
  ['an open object', { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }, 'unknown'],
  ['a schema without type', {}, 'unknown'],
  ['a nullable integer', { type: 'integer', nullable: true }, 'number | null'],
  ['a list', { type: 'array', items: { type: 'string' } }, 'readonly string[]'],
  ['a list of unions', { type: 'array', items: { type: 'string', enum: ['A', 'B'] } }, "readonly ('A' | 'B')[]"],
  [
    'a list of nullable objects',
    { type: 'array', items: { type: 'object', nullable: true, properties: {} } },
    'readonly ({} | null)[]',
  ],
  [
    'a list of objects that keep unknown fields',
    { type: 'array', items: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: {} } },
    'readonly ({} & Readonly<Record<string, unknown>>)[]',
  ],
  ['an empty object schema', { type: 'object' }, 'Readonly<Record<string, unknown>>'],
];

for (const [what, schema, type] of cases) {
  test(`${what} reads as ${type}`, () => {
    assert.equal(typeOf(schema), type);
  });
}

test('members are optional unless required, and names that are no identifiers are quoted', () => {
  const schema: Schema = {
    type: 'object',
    required: ['name'],
    properties: { name: { type: 'string' }, 'x-y': { type: 'boolean', description: 'Why\n it is.' } },
  };

  assert.equal(typeOf(schema), "{\n  readonly name: string;\n  /** Why it is. */\n  readonly 'x-y'?: boolean;\n}");
});

test('an object that keeps unknown fields beside known ones admits both', () => {
  const schema: Schema = {
    type: 'object',
    'x-kubernetes-preserve-unknown-fields': true,
    properties: { a: { type: 'string' } },
  };

  assert.equal(typeOf(schema), '{\n  readonly a?: string;\n} & Readonly<Record<string, unknown>>');
});

test('a CRD becomes interfaces for the object, its spec and its status, and a Kind of the storage version', () => {
  const conditions: Schema = {
    type: 'array',
    items: { type: 'object', properties: { type: { type: 'string' }, status: { type: 'string' } } },
  };
  const openAPIV3Schema: Schema = {
    type: 'object',
    required: ['spec'],
    properties: {
      metadata: { type: 'object' },
      spec: { type: 'object', properties: { size: { type: 'integer' } } },
      status: { type: 'object', properties: { conditions } },
    },
  };
  const version = (name: string, storage: boolean) => ({ name, storage, schema: { openAPIV3Schema } });

  const source = sourceOf('boxes.example.com.yaml', {
    spec: {
      group: 'example.com',
      scope: 'Cluster',
      names: { kind: 'Box', plural: 'boxes' },
      versions: [version('v1alpha1', false), version('v1', true)],
    },
  });

  assert.match(source, /^\/\/ Generated from src\/kinds\/crds\/boxes\.example\.com\.yaml by `npm run generate`/);
  assert.match(source, /export interface BoxSpec \{\n {2}readonly size\?: number;\n\}/);
  assert.match(source, /export interface BoxStatus \{\n {2}readonly conditions\?: readonly Condition\[\];\n\}/);
  assert.match(
    source,
    /interface Box extends KubeObject \{\n {2}readonly spec: BoxSpec;\n {2}readonly status\?: BoxStatus;/,
  );
  assert.match(source, /export const Box = kindOf<Box>\('example\.com\/v1', 'Box', 'boxes', 'Cluster'\);/);
});

test('a file is named after its kind', () => {
  assert.equal(fileNameOf('MachineSet'), 'machine-set.generated.ts');
  assert.equal(fileNameOf('IPAddressClaim'), 'ip-address-claim.generated.ts');
  assert.equal(fileNameOf('Metal3Machine'), 'metal3-machine.generated.ts');
});
