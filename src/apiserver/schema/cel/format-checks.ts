// Texts that an expression formats: whether what it spells out fits the values that it spells out.

import type { ASTNode } from '@marcbachmann/cel-js';
import { typeOf } from './macro.ts';
import { placeIn } from './places.ts';
import type { TypeProblem } from './type-checks.ts';
import { typeOfValue } from './type-names.ts';

const INTEGERS = ['int', 'uint'];
const TEXTS =
  'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps';
const HEXADECIMAL = 'only integers, byte buffers, and strings can be formatted as hex';

interface Clause {
  readonly fits: readonly string[];
  readonly words: string;
}

const CLAUSES: Readonly<Record<string, Clause>> = {
  s: {
    fits: [
      ...INTEGERS,
      'double',
      'bool',
      'string',
      'bytes',
      'list',
      'map',
      'type',
      'null',
      'google.protobuf.Timestamp',
      'google.protobuf.Duration',
    ],
    words: TEXTS,
  },
  d: { fits: INTEGERS, words: 'decimal clause can only be used on integers' },
  f: { fits: ['double'], words: 'fixed-point clause can only be used on doubles' },
  x: { fits: [...INTEGERS, 'bytes', 'string'], words: HEXADECIMAL },
  X: { fits: [...INTEGERS, 'bytes', 'string'], words: HEXADECIMAL },
  b: { fits: [...INTEGERS, 'bool'], words: 'only integers and bools can be formatted as binary' },
  o: { fits: INTEGERS, words: 'octal clause can only be used on integers' },
};

/** Both the text and the list must be spelt out. */
export function formatProblem(node: ASTNode & { op: 'rcall' }, source: string): TypeProblem | undefined {
  const [, text, [list]] = node.args;
  if (text.op !== 'value' || typeof text.args !== 'string' || list?.op !== 'list') return undefined;
  const start = source.indexOf('(', text.end);
  const clauses = [...text.args.matchAll(/%(?:%|(\.\d*)?([a-zA-Z])?)/g)].filter(([clause]) => clause !== '%%');
  for (const [index, [, precision, verb]] of clauses.entries()) {
    const value = list.args[index];
    const words = unread(precision, verb) ?? (value === undefined ? `index ${index} out of range` : undefined);
    if (words !== undefined) return { start, words };
    const problem = unfit(verb, value, source);
    if (problem !== undefined) return problem;
  }
  const [expected, given] = [clauses.length, list.args.length];
  if (given <= expected) return undefined;
  return { start, words: `too many arguments supplied to string.format (expected ${expected}, got ${given})` };
}

/** What cannot be read of a clause. */
function unread(precision: string | undefined, verb: string | undefined): string | undefined {
  if (verb === undefined) return 'unexpected end of string';
  const wrong = precision === '.' ? NO_PRECISION : unreadable(verb);
  return wrong === undefined ? undefined : `could not parse formatting clause: ${wrong}`;
}

const NO_PRECISION =
  'error while parsing precision: error while converting precision to integer: strconv.Atoi: parsing "": invalid syntax';

const unreadable = (verb: string): string | undefined =>
  verb === 'e' || Object.hasOwn(CLAUSES, verb) ? undefined : `unrecognized formatting clause "${verb}"`;

function unfit(verb = '', value: ASTNode | undefined, source: string): TypeProblem | undefined {
  // What is written with an exponent may be anything until it runs.
  const clause = CLAUSES[verb];
  if (clause === undefined || value === undefined) return undefined;
  const wrong = verb === 's' ? firstUnfit(value, clause) : isFit(value, clause) ? undefined : value;
  if (wrong === undefined) return undefined;
  const words = `error during formatting: ${clause.words}, was given ${typeOfValue(typeOf(wrong)?.name ?? 'dyn')}`;
  return { start: placeIn(source, wrong), words };
}

function firstUnfit(value: ASTNode, clause: Clause): ASTNode | undefined {
  if (!isFit(value, clause)) return value;
  if (value.op !== 'list' && value.op !== 'map') return undefined;
  const parts = value.op === 'list' ? value.args : value.args.flat();
  for (const part of parts) {
    const wrong = firstUnfit(part, clause);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

function isFit(value: ASTNode, { fits }: Clause): boolean {
  const name = typeOf(value)?.name ?? 'dyn';
  return name === 'dyn' || fits.includes(name.replace(/<.*/, ''));
}
