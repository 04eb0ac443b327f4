// Why a text is no address or network, in the words that Go has for it.

import { parseAddress } from '../../../base/ip.ts';

export function addressProblem(text: string): string {
  if (parseAddress(text)?.family === 6) return 'IPv4-mapped IPv6 address is not allowed';
  const [sign] = /[.:%]/.exec(text) ?? [];
  const why = sign === '.' ? dottedProblem(text) : sign === '%' ? 'missing IPv6 address' : 'unable to parse IP';
  return `ParseAddr(${JSON.stringify(text)}): ${why}`;
}

function dottedProblem(text: string): string {
  const at = /[^0-9.]/.exec(text);
  if (at !== null) return `unexpected character (at ${JSON.stringify(text.slice(at.index))})`;
  const fields = text.split('.');
  const [empty] = fields.flatMap((field, index) => (field === '' ? [index] : []));
  if (empty !== undefined) {
    const rest = fields.slice(Math.max(0, empty)).join('.');
    return `IPv4 field must have at least one digit${rest === '' ? '' : ` (at ${JSON.stringify(rest)})`}`;
  }
  if (fields.some(field => /^0\d/.test(field))) return 'IPv4 field has octet with leading zero';
  if (fields.some(field => Number(field) > 255)) return 'IPv4 field has value >255';
  return fields.length > 4 ? 'IPv4 address too long' : 'IPv4 address too short';
}

export function networkProblem(text: string): string {
  const slash = text.lastIndexOf('/');
  const named = (why: string): string => `netip.ParsePrefix(${JSON.stringify(text)}): ${why}`;
  if (slash < 0) return named("no '/'");
  const [address, bits] = [text.slice(0, slash), text.slice(slash + 1)];
  if (parseAddress(address) === undefined) return named(addressProblem(address));
  if (!/^(0|[1-9]\d{0,2})$/.test(bits)) return named(`bad bits after slash: ${JSON.stringify(bits)}`);
  return named('prefix length out of range');
}
