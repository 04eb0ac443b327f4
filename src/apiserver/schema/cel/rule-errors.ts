// Runs the rules of `x-kubernetes-validations` on an object: which of them it breaks, and what they say of it.

import type { FieldError, Json, JsonObject } from '../../parts.ts';
import { isObject, sameJson } from '../../rules/json.ts';
import { correlatedItem } from '../correlate.ts';
import { duplicate, forbidden, invalid, required } from '../field-errors.ts';
import type { RuleText, Structural } from '../structural.ts';
import { type CompiledRule, type CompiledRules, compiledRules, type Program } from './compile.ts';
import { summaryOf } from './error-text.ts';
import { Meter, metered, STEPS_PER_OBJECT, STEPS_PER_RULE } from './meter.ts';
import { absent, present } from './optionals.ts';

interface Visit {
  readonly schema: Structural;
  readonly value: Json;
  /** What corresponds before the update; undefined: nothing does. */
  readonly old: Json | undefined;
  readonly path: string;
}

/** One pass over one object. */
interface Pass {
  readonly errors: FieldError[];
  /** Steps left for all further rules; below zero nothing runs any more. */
  left: number;
}

/** A node of the pass, and whether the value, or the nearest part around it that can be compared, is as it was. */
interface Node extends Visit {
  readonly place: 'root' | 'below';
  readonly isUnchanged: () => boolean;
}

/** Everything that the rules say against the object. `old` is there on update: transition rules compare with it. */
export function ruleErrors(visit: Visit): readonly FieldError[] {
  const pass: Pass = { errors: [], left: STEPS_PER_OBJECT };
  visitNode(pass, { ...visit, place: 'root', isUnchanged: unchanged(visit, () => false) });
  return pass.errors;
}

/** Compared only when a rule was broken: most objects never need it. */
const unchanged =
  ({ value, old }: Visit, around: () => boolean): (() => boolean) =>
  () =>
    old === undefined ? around() : sameJson(value, old);

function visitNode(pass: Pass, node: Node): void {
  const { schema, value } = node;
  if (pass.left < 0 || value === null || !schema.hasRules) return;
  if (schema.rules.length > 0) runRules(pass, node);
  if (Array.isArray(value)) visitItems(pass, node, value);
  else if (isObject(value)) visitFields(pass, node, value);
}

function visitFields(pass: Pass, node: Node, object: JsonObject): void {
  const before = isObject(node.old) ? node.old : undefined;
  for (const [key, value] of Object.entries(object)) {
    const property = node.schema.properties.get(key);
    const schema = property ?? node.schema.additional;
    if (typeof schema !== 'object') continue;
    const old = before !== undefined && Object.hasOwn(before, key) ? before[key] : undefined;
    const path = property === undefined ? `${node.path}[${key}]` : childPath(node.path, key);
    const visit: Visit = { schema, value, old, path };
    visitNode(pass, { ...visit, place: 'below', isUnchanged: unchanged(visit, node.isUnchanged) });
  }
}

const childPath = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);

function visitItems(pass: Pass, node: Node, list: readonly Json[]): void {
  const { items } = node.schema;
  if (items === undefined) return;
  const before = Array.isArray(node.old) ? node.old : undefined;
  for (const [index, value] of list.entries()) {
    const visit: Visit = {
      schema: items,
      value,
      old: correlatedItem(node.schema, before, value),
      path: `${node.path}[${index}]`,
    };
    visitNode(pass, { ...visit, place: 'below', isUnchanged: unchanged(visit, node.isUnchanged) });
  }
}

function runRules(pass: Pass, node: Node): void {
  const compiled = compiledRules(node.schema, node.place);
  const self = compiled.toCel(node.value);
  for (const rule of compiled.rules) {
    if (pass.left < 0) return;
    runRule(pass, node, { rule, compiled, self });
  }
}

interface Running {
  readonly rule: CompiledRule;
  readonly compiled: CompiledRules;
  readonly self: unknown;
}

function runRule(pass: Pass, node: Node, { rule, compiled, self }: Running): void {
  const type = node.schema.types[0] ?? '';
  if ('problem' in rule.rule) {
    pass.errors.push(invalid(node.path, type, `rule compile error: ${rule.rule.problem}`));
    return;
  }
  const { program } = rule.rule;
  // A transition rule speaks of a change: without a value before, only one that says it can do without runs.
  if (program.usesOldSelf && node.old === undefined && !runsWithoutOld(rule)) return;

  const variables = needsOld(rule, program) ? { self, ...oldVariable(node, compiled, rule) } : { self };
  const answer = evaluate(pass, program, variables);
  if (answer.kind === 'value' && answer.value === true) return;
  if (answer.kind !== 'value') {
    pass.errors.push(invalid(node.path, type, answerProblem(answer, rule.text)));
    return;
  }
  const error = brokenRule(node, rule, messageOf(pass, rule, variables));
  if (program.usesOldSelf || !node.isUnchanged()) pass.errors.push(error);
}

/** What is not asked for is not made: most rules speak of the object as it is. */
const needsOld = ({ message }: CompiledRule, { usesOldSelf }: Program): boolean =>
  usesOldSelf || (message !== undefined && 'program' in message && message.program.usesOldSelf);

const runsWithoutOld = ({ text }: CompiledRule): boolean => text.optionalOldSelf === true;

function oldVariable({ old }: Node, compiled: CompiledRules, rule: CompiledRule): { readonly oldSelf?: unknown } {
  if (!runsWithoutOld(rule)) return old === undefined ? {} : { oldSelf: compiled.toCel(old) };
  return { oldSelf: old === undefined ? absent() : present(compiled.toCel(old)) };
}

type Answer =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'failed'; readonly why: string }
  | { readonly kind: 'overspent' };

function evaluate(pass: Pass, program: Program, variables: Parameters<Program['run']>[0]): Answer {
  const meter = new Meter(Math.min(STEPS_PER_RULE, pass.left));
  try {
    const value = metered(meter, () => program.run(variables));
    return meter.isOverspent ? { kind: 'overspent' } : { kind: 'value', value };
  } catch (error) {
    return meter.isOverspent ? { kind: 'overspent' } : { kind: 'failed', why: runtimeWords(summaryOf(error)) };
  } finally {
    pass.left = meter.isOverspent ? -1 : pass.left - meter.steps;
  }
}

const typeNamed = (word: string): string =>
  word === 'duration' || word === 'timestamp' ? `google.protobuf.${word[0]?.toUpperCase()}${word.slice(1)}` : word;

/** Errors of functions of our own, whose first letter is as it must be. */
const WORDED = /^(Illegal regex|Invalid character|No Major|Version string|Major|Minor|Patch|Prerelease|Build) ?/;

const NUMBERS = ['int', 'uint', 'double'];
const TIMES = ['google.protobuf.Timestamp', 'google.protobuf.Duration'];
const COMPARED = [...NUMBERS, ...TIMES, 'string', 'bytes', 'bool'];

/** Which types an operator is known of: others are told that it is not. */
const OPERATORS: Readonly<Record<string, readonly string[]>> = {
  '+': [...NUMBERS, ...TIMES, 'string', 'bytes', 'list'],
  '-': [...NUMBERS, ...TIMES],
  '*': NUMBERS,
  '/': NUMBERS,
  '%': ['int', 'uint'],
  '<': COMPARED,
  '<=': COMPARED,
  '>': COMPARED,
  '>=': COMPARED,
};

/** `no such overload: dyn<map<string, int>> + int`. */
const LEFT_OPERAND = /^no such overload: (?:dyn<)?([\w.]+)\S*(?:, \S+)* ([-+*/%]|[<>]=?) /;

function overloadWords(summary: string): string {
  const [, left = '', operator = ''] = LEFT_OPERAND.exec(summary) ?? [];
  const known = OPERATORS[operator];
  return known === undefined || known.includes(left) ? 'no such overload' : `no such overload: _${operator}_`;
}

const capital = (word: string): string => `${word[0]?.toUpperCase() ?? ''}${word.slice(1)}`;

/** The library's words for what happens at run time, in those of CEL in Kubernetes. */
export function runtimeWords(summary: string): string {
  if (/^(no such overload|found no matching overload)/.test(summary)) return overloadWords(summary);
  if (/^(Ternary condition must be bool|Logical operator requires bool)/.test(summary)) return 'no such overload';
  const notIterable = /^Expression of type '(\w+)' cannot be range/.exec(summary);
  if (notIterable !== null) return `got 'types.${capital(notIterable[1] ?? '')}', expected iterable type`;
  const bounds = /index out of bounds, index (\S+)/.exec(summary);
  if (bounds !== null) return `index out of bounds: ${bounds[1]}`;
  if (summary.startsWith('integer overflow')) return 'integer overflow';
  if (summary === 'modulo by zero') return 'modulus by zero';
  if (summary === 'Optional value is not present') return 'optional.none() dereference';
  const unread = /^(?:invalid (duration) string|(timestamp)\(\) requires|(int|uint|double|bool)\(\) )/i.exec(summary);
  if (unread !== null)
    return `type conversion error from 'string' to '${typeNamed(unread.slice(1).find(Boolean) ?? '')}'`;
  if (WORDED.test(summary)) return summary;
  return summary.replace(/^[A-Z](?=[a-z])/, letter => letter.toLowerCase());
}

function answerProblem(answer: Exclude<Answer, { kind: 'value' }>, text: RuleText): string {
  const name = text.message.trim() || text.rule.trim();
  if (answer.kind === 'overspent') {
    return `'operation cancelled: actual cost limit exceeded': no further validation rules will be run due to call cost exceeds limit for rule: ${name}`;
  }
  if (answer.why.startsWith('no such overload')) {
    return `'${answer.why}': call arguments did not match a supported operator, function or macro signature for rule: ${name}`;
  }
  return `${answer.why} evaluating rule: ${name}`;
}

const LONGEST_MESSAGE = 5 * 1024;

/** The message expression's answer when it gives one that can be shown, else the message, else the rule itself. */
function messageOf(pass: Pass, rule: CompiledRule, variables: Parameters<Program['run']>[0]): string {
  const fallback = rule.text.message.trim() || `failed rule: ${rule.text.rule.trim()}`;
  if (rule.message === undefined || 'problem' in rule.message) return fallback;
  const answer = evaluate(pass, rule.message.program, variables);
  const text = answer.kind === 'value' && typeof answer.value === 'string' ? answer.value.trim() : '';
  return text === '' || text.includes('\n') || text.length > LONGEST_MESSAGE ? fallback : text;
}

/** Objects and lists are not shown in the error: they may be long. */
function brokenRule(node: Node, rule: CompiledRule, detail: string): FieldError {
  const path =
    rule.fieldPath.startsWith('[') || node.path !== ''
      ? `${node.path}${rule.fieldPath}`
      : rule.fieldPath.replace(/^\./, '');
  const isCompound = typeof node.value === 'object';
  switch (rule.text.reason) {
    case 'FieldValueForbidden':
      return forbidden(path, detail);
    case 'FieldValueRequired':
      return required(path, detail);
    case 'FieldValueDuplicate':
      return isCompound ? { ...duplicate(path, null), message: 'Duplicate value' } : duplicate(path, node.value);
    default:
      return isCompound
        ? { ...invalid(path, null, detail), message: `Invalid value: ${detail}` }
        : invalid(path, node.value, detail);
  }
}
