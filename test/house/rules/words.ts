// What users and callers read: reasons that name one thing each, and no parameter whose meaning is only true or false.

import { type Finding, fileRule, type Rule } from '../rule.ts';
import { isTest, type Node, type Placed, type SourceFile } from '../source.ts';

/** Where reasons are Pippin's own. In builtin/ and apiserver/ they are Kubernetes'. */
const OWN_REASONS = /^src\/(mac|agent|metal|ipam|deletion|kube|fleet)\//;
const CAMEL_CASE = /^[A-Z][A-Za-z0-9]+$/;

export const reasons: Rule = {
  name: 'reasons',
  holds: 'a reason of a condition or an event is written in one file',
  check: ({ sources }) => {
    const first = new Map<string, string>();
    return sources.filter(file => OWN_REASONS.test(file.path) && !isTest(file)).flatMap(file => doublesIn(file, first));
  },
};

function doublesIn(file: SourceFile, first: Map<string, string>): Finding[] {
  return file.nodes.flatMap(({ node, parent, key }) => {
    const reason = key === 'value' && keyName(parent) === 'reason' ? node.value : undefined;
    if (typeof reason !== 'string' || !CAMEL_CASE.test(reason)) return [];
    const before = first.get(reason) ?? file.path;
    first.set(reason, before);
    const says = `reason ${reason} is written in ${before} too: import it from there, or give this concern its own`;
    return before === file.path ? [] : [{ path: file.path, line: file.lineAt(node.start), says }];
  });
}

export const booleans = fileRule('booleans', 'no function takes a bare true or false', file =>
  isTest(file) || file.path.includes('.generated.') ? [] : file.nodes.flatMap(placed => booleansIn(file, placed)),
);

/** An assertion's condition is what it is about; a list's callback is called by its list. */
function booleansIn(file: SourceFile, { node }: Placed): Finding[] {
  if (node.type !== 'FunctionDeclaration' || isAssertion(node) || !Array.isArray(node.params)) return [];
  const says = 'a boolean parameter: make two functions, or an option with a name';
  return node.params
    .filter(isBoolean)
    .map((param: Node) => ({ path: file.path, line: file.lineAt(param.start), says }));
}

const isAssertion = (node: Node): boolean => JSON.stringify(node.returnType ?? '').includes('"asserts":true');

/** `on: boolean` or `on?: boolean`; not a callback or an option that has one in it. */
function isBoolean(param: Node): boolean {
  const annotation = param.typeAnnotation;
  return typeof annotation === 'object' && annotation !== null && 'typeAnnotation' in annotation
    ? JSON.stringify(annotation.typeAnnotation).startsWith('{"type":"TSBooleanKeyword"')
    : false;
}

function keyName(parent: Node | undefined): string | undefined {
  const key = parent?.type === 'Property' ? parent.key : undefined;
  return typeof key === 'object' && key !== null && 'name' in key ? String(key.name) : undefined;
}
