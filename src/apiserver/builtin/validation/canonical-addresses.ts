// What an address must be that was never taken in another form: older fields took more, and keep what they have.

import { parseAddress } from '../../../base/ip.ts';
import { invalid } from '../../schema/field-errors.ts';
import { NONE } from './fields.ts';
import { NO_ADDRESS } from './services.ts';
import type { Errors } from './texts.ts';

/** An address without leading zeros, and not an older one in newer clothes. */
export function canonicalAddressErrors(path: string, ip: string): Errors {
  const parsed = parseAddress(ip);
  if (parsed !== undefined) {
    const isMapped = parsed.family === 6 && parsed.bits >> 32n === 0xffffn;
    return isMapped ? [invalid(path, ip, 'must not be an IPv4-mapped IPv6 address')] : NONE;
  }
  const isPadded = parseAddress(ip.replaceAll(/(^|[.:])0+(?=\d+(\.|$))/g, '$1')) !== undefined;
  return [invalid(path, ip, isPadded ? 'must not have leading 0s' : NO_ADDRESS)];
}
