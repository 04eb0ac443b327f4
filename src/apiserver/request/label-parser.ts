// Label selectors from text, refused in the words of the real server where they are none.

import { LabelLexer } from './label-lexer.ts';
import { labelKeyProblems, labelValueProblems } from './label-rules.ts';

export type Operator = 'In' | 'NotIn' | 'Exists' | 'DoesNotExist' | 'Gt' | 'Lt';

export interface Requirement {
  readonly key: string;
  readonly operator: Operator;
  readonly values: readonly string[];
}

/** Why a text is no selector. */
export class NoSelector extends Error {}

/** More requirements than this are refused: each costs time on every object. */
const MAX_REQUIREMENTS = 1000;

const BINARY: Readonly<Record<string, Operator>> = {
  in: 'In',
  notin: 'NotIn',
  '=': 'In',
  '==': 'In',
  '!=': 'NotIn',
  '>': 'Gt',
  '<': 'Lt',
};

const found = (text: string, expected: string): NoSelector => new NoSelector(`found '${text}', expected: ${expected}`);

/** The requirements that `text` says; throws `NoSelector`. */
export function parseRequirements(text: string): readonly Requirement[] {
  const lexer = new LabelLexer(text);
  const requirements: Requirement[] = [];
  while (lexer.peek().kind !== 'end') {
    if (!startsRequirement(lexer)) throw found(lexer.peek().text, "!, identifier, or 'end of string'");
    requirements.push(requirement(lexer));
    if (requirements.length > MAX_REQUIREMENTS) throw new NoSelector(`more than ${MAX_REQUIREMENTS} requirements`);
    const next = lexer.take();
    if (next.kind === 'end') break;
    if (next.text !== ',') throw found(next.text, "',' or 'end of string'");
    if (!startsRequirement(lexer)) throw found(lexer.peek().text, "identifier after ','");
  }
  return requirements;
}

function startsRequirement(lexer: LabelLexer): boolean {
  const { kind, text } = lexer.peek();
  return kind === 'identifier' || text === '!';
}

function requirement(lexer: LabelLexer): Requirement {
  try {
    return parsedRequirement(lexer);
  } catch (error) {
    if (error instanceof NoSelector) throw new NoSelector(`unable to parse requirement: ${error.message}`);
    throw error;
  }
}

function parsedRequirement(lexer: LabelLexer): Requirement {
  const isNegated = lexer.peek().text === '!';
  if (isNegated) lexer.take();
  const key = lexer.take();
  if (key.kind !== 'identifier') throw found(key.text, 'identifier');
  checkKey(key.text);
  if (isNegated) return { key: key.text, operator: 'DoesNotExist', values: [] };
  if (lexer.peek().kind === 'end' || lexer.peek().text === ',')
    return { key: key.text, operator: 'Exists', values: [] };
  return comparison(lexer, key.text);
}

function comparison(lexer: LabelLexer, key: string): Requirement {
  const sign = lexer.take().text;
  const operator = Object.hasOwn(BINARY, sign) ? BINARY[sign] : undefined;
  if (operator === undefined) throw found(sign, 'in, notin, =, ==, !=, gt, lt');
  const values = sign === 'in' || sign === 'notin' ? valueList(lexer) : [exactValue(lexer)];
  for (const [index, value] of values.entries()) checkValue(key, value, index);
  if ((operator === 'Gt' || operator === 'Lt') && !isInt64(values[0] ?? '')) {
    const why = "for 'Gt', 'Lt' operators, the value must be an integer";
    throw new NoSelector(`values[0]: Invalid value: ${JSON.stringify(values[0])}: ${why}`);
  }
  return { key, operator, values };
}

const isInt64 = (text: string): boolean => /^-?\d+$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text);

function exactValue(lexer: LabelLexer): string {
  if (lexer.peek().kind === 'end' || lexer.peek().text === ',') return '';
  const word = lexer.take();
  if (word.kind !== 'identifier') throw found(word.text, 'identifier');
  return word.text;
}

/** `(a,b)`; nothing between two signs is the empty value. */
function valueList(lexer: LabelLexer): readonly string[] {
  const open = lexer.take();
  if (open.text !== '(') throw new NoSelector(`found '${open.text}' expected: '('`);
  const first = lexer.peek();
  if (first.kind === 'end') throw found('', "',', ')' or identifier");
  const values = new Set<string>();
  for (;;) {
    const word = lexer.peek();
    values.add(word.kind === 'identifier' ? lexer.take().text : '');
    const next = lexer.take();
    if (next.text === ')' && next.kind === 'sign') return [...values].toSorted();
    if (next.text !== ',') throw found(next.text, "',' or ')'");
  }
}

function checkKey(key: string): void {
  const problems = labelKeyProblems(key);
  if (problems.length > 0) throw new NoSelector(`<nil>: Invalid value: ${JSON.stringify(key)}: ${problems.join('; ')}`);
}

function checkValue(key: string, value: string, index: number): void {
  const problems = labelValueProblems(value);
  if (problems.length === 0) return;
  throw new NoSelector(`values[${index}][${key}]: Invalid value: ${JSON.stringify(value)}: ${problems.join('; ')}`);
}
