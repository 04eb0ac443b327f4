// Ways to talk the type checker, the linter or the test runner out of their job.

import { type Finding, fileRule } from '../rule.ts';
import { isGenerated, isTest, type Placed, type SourceFile } from '../source.ts';

const typeOf = (value: unknown): string =>
  typeof value === 'object' && value !== null && 'type' in value ? String(value.type) : '';

const COMMENTS: readonly (readonly [RegExp, string])[] = [
  [/@ts-(ignore|expect-error|nocheck)/, 'correct the type instead of silencing the type checker'],
  [/\bbiome-ignore\b/, 'do what the linter asks; where it is wrong, say so in biome.json with the reason'],
  [/\b(TODO|FIXME|XXX|HACK)\b/, 'build it or leave it out; what is missing is an issue, not a comment'],
];

export const escapes = fileRule('escapes', 'nothing silences the type checker, the linter or a test', file =>
  isGenerated(file) ? [] : [...commentTrouble(file), ...nodeTrouble(file)],
);

function commentTrouble(file: SourceFile): Finding[] {
  return file.comments.flatMap(({ text, line }) =>
    COMMENTS.flatMap(([pattern, says]) => (pattern.test(text) ? [{ path: file.path, line, says }] : [])),
  );
}

function nodeTrouble(file: SourceFile): Finding[] {
  return file.nodes.flatMap(placed => {
    const says = troubleOf(placed) ?? (isTest(file) ? testTrouble(placed) : undefined);
    return says === undefined ? [] : [{ path: file.path, line: file.lineAt(placed.node.start), says }];
  });
}

function troubleOf({ node, parent }: Placed): string | undefined {
  if (node.type === 'TSAnyKeyword') return 'any: use unknown and look at it, or name the type';
  if (node.type === 'TSNonNullExpression')
    return 'a value is declared present with `!`: return early or throw where it is absent';
  if (node.type === 'TSEnumDeclaration') return 'an enum: use a union of string literals';
  if (node.type === 'TSParameterProperty') return 'a parameter property: declare the field and assign it';
  if (
    node.type === 'TSAsExpression' &&
    parent?.type === 'TSAsExpression' &&
    typeOf(node.typeAnnotation) === 'TSUnknownKeyword'
  ) {
    return 'as unknown as: write a type guard, or give the value its type where it is made';
  }
  return undefined;
}

function testTrouble({ node, parent }: Placed): string | undefined {
  if (node.type !== 'Identifier' || parent?.type !== 'MemberExpression' || parent.property !== node) return undefined;
  const object = parent.object;
  const runner = typeof object === 'object' && object !== null && 'name' in object ? String(object.name) : '';
  if (!/^(test|it|describe|suite)$/.test(runner)) return undefined;
  const name = String(node.name);
  if (name === 'only') return `${runner}.only: the other tests would not run`;
  if (name === 'skip' || name === 'todo') {
    return `${runner}.${name}: make it pass or remove it; what a machine lacks is { skip: 'no kubectl here' }`;
  }
  return undefined;
}
