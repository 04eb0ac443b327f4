// Times as Go reads them, and what it says of a text that is none.

import { kubeTime, millisOf } from '../../base/clock.ts';

interface Element {
  /** As Go's layout writes it. */
  readonly named: string;
  readonly form: RegExp;
  /** What is out of range, of the digits that the form found. */
  readonly outside?: (digits: readonly string[]) => string | undefined;
}

const above =
  (what: string, most: string, least = '00') =>
  ([digits = '']: readonly string[]): string | undefined =>
    digits.padStart(2, '0') > most || digits.padStart(2, '0') < least ? what : undefined;
const sign = (named: string): Element => ({ named, form: new RegExp(`^${named}`) });

const MOMENT: readonly Element[] = [
  { named: '2006', form: /^\d{4}/ },
  sign('-'),
  { named: '01', form: /^(\d\d)/, outside: above('month', '12', '01') },
  sign('-'),
  { named: '02', form: /^\d\d/ },
  sign('T'),
  { named: '15', form: /^(\d\d?)/, outside: above('hour', '23') },
  sign(':'),
  { named: '04', form: /^(\d\d)/, outside: above('minute', '59') },
  sign(':'),
];
const SECOND = { named: '05', outside: above('second', '59') };
const ZONE: Element = {
  named: 'Z07:00',
  form: /^(?:Z|[+-](\d\d):(\d\d))/,
  outside: ([hours = '00', minutes = '00']) =>
    above('time zone offset hour', '24')([hours]) ?? above('time zone offset minute', '60')([minutes]),
};
const LAYOUTS = {
  time: [...MOMENT, { ...SECOND, form: /^(\d\d)(?:[.,]\d+)?/ }, ZONE],
  microtime: [...MOMENT, { ...SECOND, form: /^(\d\d)/ }, { named: '.000000', form: /^[.,]\d{6}/ }, ZONE],
} as const;

/** Undefined: the text is a `Time` (any fraction of a second) or a `MicroTime` (six digits of it). */
export function goTimeProblem(text: string, kind: keyof typeof LAYOUTS): string | undefined {
  const layout: readonly Element[] = LAYOUTS[kind];
  const said = `parsing time ${JSON.stringify(text)}`;
  let rest = text;
  for (const { named, form, outside } of layout) {
    const found = form.exec(rest);
    if (found === null) return `${said} as "${layoutText(layout)}": cannot parse ${JSON.stringify(rest)} as "${named}"`;
    const what = outside?.(found.slice(1));
    if (what !== undefined) return `${said}: ${what} out of range`;
    rest = rest.slice(found[0].length);
  }
  if (rest !== '') return `${said}: extra text: ${JSON.stringify(rest)}`;
  return isDayOfItsMonth(text) ? undefined : `${said}: day out of range`;
}

const layoutText = (layout: readonly Element[]): string => layout.map(({ named }) => named).join('');

function isDayOfItsMonth(text: string): boolean {
  const day = text.slice(0, 10);
  const ms = millisOf(`${day}T00:00:00Z`);
  return !Number.isNaN(ms) && kubeTime(ms).startsWith(day);
}
