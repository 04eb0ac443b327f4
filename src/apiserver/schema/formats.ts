// String formats that CRD schemas may name. An unknown format is no restriction.

import { parseAddress, parseNetwork } from '../../base/ip.ts';
import { isDuration } from './duration-format.ts';
import { isEmail } from './email.ts';
import { isRequestUri } from './request-uri.ts';

const HEX = '[0-9a-fA-F]';
const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';

const uuid = (version: string, variant = HEX): RegExp =>
  new RegExp(`^${HEX}{8}-?${HEX}{4}-?${version}${HEX}{3}-?${variant}${HEX}{3}-?${HEX}{12}$`);

const CREDIT_CARD =
  /^(?:4\d{12}(?:\d{3})?|5[1-5]\d{14}|6(?:011|5\d\d)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|(?:2131|1800|35\d{3})\d{11})$/;

/** Each pattern is ours and linear: no nested repetition. */
const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  bsonobjectid: text => new RegExp(`^${HEX}{24}$`).test(text),
  uri: isRequestUri,
  email: isEmail,
  hostname: text => isHostname(text),
  ipv4: text => text.includes('.') && parseAddress(withoutZeros(text)) !== undefined,
  ipv6: text => parseAddress(text)?.family === 6,
  cidr: isNetwork,
  mac: text => isMac(text),
  uuid: text => uuid(HEX).test(text),
  uuid3: text => uuid('3').test(text),
  uuid4: text => uuid('4', '[89abAB]').test(text),
  uuid5: text => uuid('5', '[89abAB]').test(text),
  isbn: text => isIsbn10(text) || isIsbn13(text),
  isbn10: isIsbn10,
  isbn13: isIsbn13,
  creditcard: isCreditCard,
  ssn: text => /^\d{3}[- ]\d{2}[- ]\d{4}$/.test(text),
  hexcolor: text => new RegExp(`^#?(${HEX}{3}|${HEX}{6})$`).test(text),
  rgbcolor: text => RGB.test(text),
  byte: text => text !== '' && /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text),
  password: () => true,
  date: isDate,
  duration: isDuration,
  datetime: isDateTime,
  k8sshortname: text => text.length <= 63 && new RegExp(`^${LABEL}$`).test(text),
  k8slongname: text => text.length <= 253 && text.split('.').every(part => new RegExp(`^${LABEL}$`).test(part)),
};

/** Dashes in a format's name do not count: `date-time` is `datetime`. */
const isTextFormat = (format: string): boolean => Object.hasOwn(FORMATS, format.replaceAll('-', ''));

/** Whether values of the type can have the format; a format that its type does not have is no restriction. */
export function isFormatOf(type: string, format: string): boolean {
  if (type === '' || type === 'string') return isTextFormat(format);
  if (type === 'integer') return format === 'int32' || format === 'int64';
  return type === 'number' && (format === 'float' || format === 'double');
}

export function formatAccepts(format: string, text: string): boolean {
  return FORMATS[format.replaceAll('-', '')]?.(text) ?? true;
}

/** Go still reads zeros before the parts of a plain IPv4 address. */
const withoutZeros = (text: string): string => (text.includes(':') ? text : text.replaceAll(/(?<!\d)0+(?=\d)/g, ''));

function isNetwork(text: string): boolean {
  const [address = '', length = '', ...more] = text.split('/');
  if (more.length > 0 || !/^\d+$/.test(length)) return false;
  return parseNetwork(`${withoutZeros(address)}/${withoutZeros(length)}`) !== undefined;
}

const LETTER = '[a-zA-Z0-9\\p{S}\\p{L}]';
const INNER = '[a-zA-Z0-9\\p{S}\\p{L}-]';
/** A label without dashes but one after its first letter, or several labels before one of letters alone. */
const HOSTNAME = new RegExp(
  `^(?:${LETTER}(?:-?${LETTER}{0,62})|(?:${LETTER}(?:${INNER}{0,61}${LETTER})?\\.)+[a-zA-Z\\p{L}]{2,63})$`,
  'u',
);

const isHostname = (text: string): boolean => text.length <= 255 && HOSTNAME.test(text);

/** Of 6, 8 or 20 bytes. */
const MAC = /^[0-9a-f]{2}(?:(?::[0-9a-f]{2})+|(?:-[0-9a-f]{2})+)$|^[0-9a-f]{4}(?:\.[0-9a-f]{4})+$/i;

const isMac = (text: string): boolean =>
  MAC.test(text) && [6, 8, 20].includes(text.replaceAll(/[:.-]/g, '').length / 2);

/** Its last digit checks the others (ISO/IEC 7812). */
function isCreditCard(text: string): boolean {
  const digits = text.replaceAll(/\D/g, '');
  if (!CREDIT_CARD.test(digits)) return false;
  const sum = [...digits].reverse().reduce((total, digit, at) => {
    const doubled = Number(digit) * (at % 2 === 0 ? 1 : 2);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return sum % 10 === 0;
}

function isIsbn10(text: string): boolean {
  const digits = text.replaceAll(/[\s-]/g, '');
  if (!/^\d{9}[\dX]$/.test(digits)) return false;
  const sum = [...digits].reduce(
    (total, digit, index) => total + (digit === 'X' ? 10 : Number(digit)) * (index + 1),
    0,
  );
  return sum % 11 === 0;
}

function isIsbn13(text: string): boolean {
  const digits = text.replaceAll(/[\s-]/g, '');
  if (!/^\d{13}$/.test(digits)) return false;
  return [...digits].reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3), 0) % 10 === 0;
}

const PART = '\\s*(?:0|[1-9]\\d?|1\\d\\d|2[0-4]\\d|25[0-5])\\s*';
const RGB = new RegExp(`^rgb\\(${PART},${PART},${PART}\\)$`);

function isDate(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (match === null) return false;
  const [year = 0, month = 0, day = 0] = match.slice(1).map(Number);
  return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
}

function daysIn(year: number, month: number): number {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
}

const TIME = /^(\d{2}):(\d{2}):(\d{2})(?:[^\n]\d+)?(?:z|[+-]\d{2}:\d{2})$/u;

/** What follows a second `t` is overlooked, and so is how far the zone is off. */
function isDateTime(text: string): boolean {
  const [date = '', time = ''] = text.toLowerCase().split('t', 2);
  const [, hour = '', minute = '', second = ''] = TIME.exec(time) ?? [];
  return hour !== '' && isDate(date) && hour <= '23' && minute <= '59' && second <= '59';
}
