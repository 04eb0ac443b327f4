// Texts in YAML, and where their lines are broken: at the first space beyond the eightieth column.

import { isBreak, type Style, styleOf } from './style.ts';

const WIDTH = 80;

/** Where a text begins, how far its further lines are indented, and whether it may have any. */
export interface Place {
  readonly column: number;
  readonly indent: number;
  readonly lines: 'one' | 'many';
}

export function yamlText(text: string, place: Place): string {
  return WRITERS[styleOf(text)]([...text], place);
}

type Writer = (characters: readonly string[], place: Place) => string;

const WRITERS: Readonly<Record<Style, Writer>> = {
  plain: (characters, place) => folded(characters, place, plainPart),
  single: (characters, place) => `'${indented(folded(characters, inQuotes(place), singlePart), place)}'`,
  double: (characters, place) => `"${folded(characters, inQuotes(place), doublePart)}"`,
  literal,
};

/** What follows a break that is no line's end for everybody. */
const indented = (text: string, { indent }: Place): string =>
  text.replaceAll(/[\u2028\u2029](?=[^\u2028\u2029])/g, sign => sign + ' '.repeat(indent));

const inQuotes = (place: Place): Place => ({ ...place, column: place.column + 1 });

/** What is written for a character; a space that may end a line is asked for with what the next line begins with. */
interface Part {
  readonly text: string;
  readonly canFold?: true;
  readonly next?: string;
}

type PartOf = (characters: readonly string[], index: number) => Part;

function folded(characters: readonly string[], { column, indent, lines }: Place, partOf: PartOf): string {
  const margin = `\n${' '.repeat(indent)}`;
  let written = '';
  let at = column;
  for (const index of characters.keys()) {
    const { text, canFold, next = '' } = partOf(characters, index);
    const isFolded = canFold === true && lines === 'many' && at > WIDTH && characters[index - 1] !== ' ';
    written += isFolded ? margin + next : text;
    at = isFolded ? indent + next.length : at + text.length;
  }
  return written;
}

const plainPart: PartOf = (characters, index) => {
  const text = characters[index] ?? '';
  return text === ' ' && characters[index + 1] !== ' ' ? { text, canFold: true } : { text };
};

const singlePart: PartOf = (characters, index) => {
  const text = characters[index] ?? '';
  if (text === "'") return { text: "''" };
  const isInner = index > 0 && index < characters.length - 1 && characters[index + 1] !== ' ';
  return text === ' ' && isInner ? { text, canFold: true } : { text };
};

const doublePart: PartOf = (characters, index) => {
  const text = characters[index] ?? '';
  if (text !== ' ') return { text: escaped(text) };
  const isInner = index > 0 && index < characters.length - 1;
  if (!isInner) return { text };
  // A space at the beginning of a line would be read as its margin.
  return { text, canFold: true, ...(characters[index + 1] === ' ' ? { next: '\\' } : {}) };
};

const NAMED: Readonly<Record<string, string>> = {
  '\0': '0',
  '\x07': 'a',
  '\b': 'b',
  '\t': 't',
  '\n': 'n',
  '\v': 'v',
  '\f': 'f',
  '\r': 'r',
  '\x1b': 'e',
  '"': '"',
  '\\': '\\',
  '\x85': 'N',
  '\u2028': 'L',
  '\u2029': 'P',
};

function escaped(character: string): string {
  const name = NAMED[character];
  if (name !== undefined) return `\\${name}`;
  const code = character.codePointAt(0) ?? 0;
  if (code >= 0x20 && code <= 0x7e) return character;
  if (code >= 0xa0 && code <= 0xfffd && code !== 0xfeff) return character;
  const hex = code.toString(16).toUpperCase();
  if (code <= 0xff) return `\\x${hex.padStart(2, '0')}`;
  return code <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}

/** Line by line, with a sign for how it begins and how it ends. */
function literal(characters: readonly string[], { indent }: Place): string {
  const margin = ' '.repeat(indent);
  const lines = characters.join('').split(/(?<=[\n\u2028\u2029])/u);
  const body = lines.map(line => (isBreak(line[0]) ? line : margin + line)).join('');
  return `|${hintOf(characters)}\n${body.replace(/\n$/, '')}`;
}

function hintOf(characters: readonly string[]): string {
  const [first, last, before] = [characters[0], characters.at(-1), characters.at(-2)];
  const begins = first === ' ' || isBreak(first) ? '2' : '';
  if (!isBreak(last)) return `${begins}-`;
  return before === undefined || isBreak(before) ? `${begins}+` : begins;
}
