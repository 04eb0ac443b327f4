// In which order the keys of an object stand in YAML: numbers within them count, and letters come last.

type Characters = readonly string[];

const isLetter = (character: string): boolean => /\p{L}/u.test(character);
const isDigit = (character: string | undefined): boolean => character !== undefined && /\p{Nd}/u.test(character);
const codeOf = (character: string): number => character.codePointAt(0) ?? 0;

/** For `sort`. */
export function byKey(one: string, other: string): number {
  const [a, b] = [[...one], [...other]];
  const at = a.findIndex((character, index) => character !== b[index]);
  const [left, right] = [a[at], b[at]];
  if (at < 0 || left === undefined || right === undefined) return a.length - b.length;
  const [leftIsLetter, rightIsLetter] = [isLetter(left), isLetter(right)];
  if (leftIsLetter && rightIsLetter) return codeOf(left) - codeOf(right);
  if (leftIsLetter || rightIsLetter) return rightIsLetter ? -1 : 1;
  return byNumber(a, b, at) || codeOf(left) - codeOf(right);
}

/** By the numbers that begin where the two part; equal ones by how many digits they have. */
function byNumber(a: Characters, b: Characters, at: number): number {
  // A nought within a number is not its first digit.
  const isWithin = (a[at] === '0' || b[at] === '0') && hasNumberBefore(a, at);
  const [left, right] = [digitsFrom(a, at), digitsFrom(b, at)];
  const head = isWithin ? '1' : '0';
  return Number(head + left) - Number(head + right) || left.length - right.length;
}

function hasNumberBefore(characters: Characters, at: number): boolean {
  for (let index = at - 1; index >= 0 && isDigit(characters[index]); index -= 1) {
    if (characters[index] !== '0') return true;
  }
  return false;
}

function digitsFrom(characters: Characters, at: number): string {
  let end = at;
  while (isDigit(characters[end])) end += 1;
  return characters.slice(at, end).join('');
}
