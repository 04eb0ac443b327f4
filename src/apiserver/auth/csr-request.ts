// The PEM request inside a CertificateSigningRequest.

import type { JsonObject } from '../parts.ts';
import { textAt } from './fields.ts';

/** `spec.request` decoded; empty when absent. */
export const requestPemOf = (csr: JsonObject | undefined): string =>
  Buffer.from(textAt(csr, 'spec', 'request'), 'base64').toString('utf8');
