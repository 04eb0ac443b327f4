// Whether a text would be read as something else than a text if it stood in YAML as it is: a number, a time, a yes or a no.

const WORDS: ReadonlySet<string> = new Set([
  ...['', '~', 'null', 'Null', 'NULL'],
  ...['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'],
  ...['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'],
  ...['.nan', '.NaN', '.NAN'],
  ...['', '+', '-'].flatMap(sign => ['.inf', '.Inf', '.INF'].map(word => sign + word)),
]);

const FRACTION = /^\.\d+([eE][-+]?\d+)?$/;
const DECIMAL = /^[-+]?(\.\d+|\d+(\.\d*)?)([eE][-+]?\d+)?$/;
const OF_BASE = /^([-+]?)(0[xX][\da-fA-F]+|0[oO][0-7]+|0[bB][01]+)$/;
/** Minutes and seconds as YAML 1.1 had them: nobody reads them so any more, and they are quoted all the same. */
const SEXAGESIMAL = /^[-+]?\d[\d_]*(:[0-5]?\d)+(\.[\d_]*)?$/;
const MAX = 2n ** 64n - 1n;

export function readsAsText(text: string): boolean {
  if (WORDS.has(text) || SEXAGESIMAL.test(text)) return false;
  if (text.startsWith('.')) return !isInRange(FRACTION, text);
  return !/^[-+\d]/.test(text) || !(isNumber(text.replaceAll('_', '')) || isTime(text));
}

const isInRange = (form: RegExp, text: string): boolean => form.test(text) && Number.isFinite(Number(text));

function isNumber(text: string): boolean {
  if (isInRange(DECIMAL, text)) return true;
  const [, sign, digits] = OF_BASE.exec(text) ?? [];
  if (digits === undefined) return false;
  const size = BigInt(digits);
  return sign === '' ? size <= MAX : size <= MAX / 2n;
}

const TIME = /^(\d{4})-(\d\d?)-(\d\d?)(?:([Tt ])(\d\d?):(\d\d?):(\d\d?)(?:[.,]\d+)?(Z|[-+]\d\d:\d\d)?)?$/;

/** A day, or a time of a day: with its zone, or after a space and without one. */
function isTime(text: string): boolean {
  const [, year, month, day, separator, hours = '0', minutes = '0', seconds = '0', zone] = TIME.exec(text) ?? [];
  const isWhole = separator === undefined || (separator === ' ') === (zone === undefined);
  const isOfDay = Number(hours) < 24 && Number(minutes) < 60 && Number(seconds) < 60;
  return year !== undefined && isWhole && isOfDay && isDay(Number(year), Number(month), Number(day));
}

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function isDay(year: number, month: number, day: number): boolean {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = month === 2 && isLeap ? 29 : (DAYS[month - 1] ?? 0);
  return day >= 1 && day <= days;
}
