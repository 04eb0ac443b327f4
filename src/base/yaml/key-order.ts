// The order of a map's keys: as a person would count, `a2` before `a10`.

/** Negative where `one` goes first. */
export function compareKeys(one: string, other: string): number {
  const [left, right] = [[...one], [...other]];
  const at = left.findIndex((character, index) => character !== right[index]);
  // A key that starts another goes before it.
  if (at === -1 || at >= right.length) return left.length - right.length;
  const [mine = '', theirs = ''] = [left[at], right[at]];
  const [isLetter, isTheirLetter] = [LETTER.test(mine), LETTER.test(theirs)];
  if (isLetter && isTheirLetter) return codeOf(mine) - codeOf(theirs);
  if (isLetter !== isTheirLetter) return isLetter ? 1 : -1;
  return compareNumbers(left, right, at);
}

const LETTER = /^\p{L}$/u;
const DIGIT = /^\p{Nd}$/u;

/** By the numbers that start here, then by how many digits write them, then by the characters. */
function compareNumbers(left: readonly string[], right: readonly string[], at: number): number {
  const [mine = '', theirs = ''] = [left[at], right[at]];
  // Where the keys have led with digits already, a zero counts: 1 and 10 differ.
  const lead = (mine === '0' || theirs === '0') && ledByNumber(left, at) ? 1n : 0n;
  const [one, other] = [numberAt(left, at, lead), numberAt(right, at, lead)];
  if (one.size !== other.size) return one.size < other.size ? -1 : 1;
  if (one.digits !== other.digits) return one.digits - other.digits;
  return codeOf(mine) - codeOf(theirs);
}

function ledByNumber(characters: readonly string[], at: number): boolean {
  for (let index = at - 1; index >= 0; index--) {
    const character = characters[index] ?? '';
    if (!DIGIT.test(character)) return false;
    if (character !== '0') return true;
  }
  return false;
}

/** In 64 bits, which overflow silently upstream. */
function numberAt(characters: readonly string[], at: number, lead: bigint): { size: bigint; digits: number } {
  let size = lead;
  let digits = 0;
  for (const character of characters.slice(at)) {
    if (!DIGIT.test(character)) break;
    size = BigInt.asIntN(64, size * 10n + BigInt(codeOf(character) - codeOf('0')));
    digits++;
  }
  return { size, digits };
}

const codeOf = (character: string): number => character.codePointAt(0) ?? 0;
