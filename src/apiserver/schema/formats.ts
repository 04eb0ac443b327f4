// String formats that CRD schemas may name. An unknown format is no restriction.

import { parseAddress, parseNetwork } from '../../base/ip.ts';

const HEX = '[0-9a-fA-F]';
const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';

const uuid = (version: string, variant = HEX): RegExp =>
  new RegExp(`^${HEX}{8}-?${HEX}{4}-?${version}${HEX}{3}-?${variant}${HEX}{3}-?${HEX}{12}$`);

const CREDIT_CARD =
  /^(?:4\d{12}(?:\d{3})?|5[1-5]\d{14}|6(?:011|5\d\d)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|(?:2131|1800|35\d{3})\d{11})$/;

/** Each pattern is ours and linear: no nested repetition. */
const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  bsonobjectid: text => new RegExp(`^${HEX}{24}$`).test(text),
  uri: isUri,
  email: text => /^(?:[^<>@]*<)?[^\s<>@]+@[^\s<>@]+>?$/.test(text),
  hostname: isHostname,
  ipv4: text => parseAddress(text)?.family === 4,
  ipv6: text => parseAddress(text)?.family === 6,
  cidr: text => parseNetwork(text) !== undefined,
  mac: isMac,
  uuid: text => uuid(HEX).test(text),
  uuid3: text => uuid('3').test(text),
  uuid4: text => uuid('4', '[89abAB]').test(text),
  uuid5: text => uuid('5', '[89abAB]').test(text),
  isbn: text => isIsbn10(text) || isIsbn13(text),
  isbn10: isIsbn10,
  isbn13: isIsbn13,
  creditcard: text => CREDIT_CARD.test(text.replaceAll(/\D/g, '')),
  ssn: text => /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(text),
  hexcolor: text => new RegExp(`^#?(${HEX}{3}|${HEX}{6})$`).test(text),
  rgbcolor: text => isRgb(text),
  byte: text => /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text),
  password: () => true,
  date: isDate,
  duration: isDuration,
  datetime: isDateTime,
  k8sshortname: text => text.length <= 63 && new RegExp(`^${LABEL}$`).test(text),
  k8slongname: text => text.length <= 253 && text.split('.').every(part => new RegExp(`^${LABEL}$`).test(part)),
};

/** Dashes in a format's name do not count: `date-time` is `datetime`. */
export const isKnownFormat = (format: string): boolean => Object.hasOwn(FORMATS, format.replaceAll('-', ''));

export function formatAccepts(format: string, text: string): boolean {
  return FORMATS[format.replaceAll('-', '')]?.(text) ?? true;
}

/** Absolute: a scheme, or a path that starts at the root. */
function isUri(text: string): boolean {
  if (text === '' || [...text].some(isControlOrSpace)) return false;
  if (text.startsWith('/')) return true;
  return /^[a-zA-Z][a-zA-Z0-9+.-]*:/.test(text) && !/%(?![0-9a-fA-F]{2})/.test(text);
}

function isControlOrSpace(character: string): boolean {
  const code = character.charCodeAt(0);
  return code <= 0x20 || code === 0x7f;
}

function isHostname(text: string): boolean {
  if (text.length === 0 || text.length > 255) return false;
  return text
    .split('.')
    .every(part => part.length <= 63 && /^[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?$/u.test(part));
}

function isMac(text: string): boolean {
  return [
    /^[0-9a-fA-F]{2}([:-][0-9a-fA-F]{2}){5}$/,
    /^[0-9a-fA-F]{2}([:-][0-9a-fA-F]{2}){7}$/,
    /^([0-9a-fA-F]{4}\.){2,3}[0-9a-fA-F]{4}$/,
  ].some(form => form.test(text));
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

function isRgb(text: string): boolean {
  const match = /^rgb\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)$/.exec(text);
  return match?.slice(1).every(part => Number(part) <= 255) ?? false;
}

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

function isDateTime(text: string): boolean {
  const match = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:[Zz]|[+-](\d{2}):?(\d{2}))$/.exec(text);
  if (match === null || !isDate(match[1] ?? '')) return false;
  const [hour = 0, minute = 0, second = 0, zoneHour = 0, zoneMinute = 0] = match
    .slice(2)
    .map(part => Number(part ?? 0));
  return hour < 24 && minute < 60 && second < 60 && zoneHour < 24 && zoneMinute < 60;
}

const WORDY =
  /^\d+(?:\.\d+)?\s*(?:ns|nanos?|us|µs|micros?|ms|millis?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|weeks?)$/i;

/** As Go parses durations, or a number with one unit in words. */
function isDuration(text: string): boolean {
  if (text === '0' || text === '+0' || text === '-0') return true;
  return /^[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/.test(text) || WORDY.test(text);
}
