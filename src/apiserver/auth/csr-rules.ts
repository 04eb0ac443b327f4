// What a CertificateSigningRequest must be: a signed request, known usages, and conditions that only grow.

import { isDeepStrictEqual } from 'node:util';
import type { RequestReader } from '../../base/keys.ts';
import type { FieldError, Json, JsonObject } from '../parts.ts';
import { requestPemOf } from './csr-request.ts';
import { listAt, textAt, textsAt, valueAt } from './fields.ts';
import { quoted } from './refusal.ts';

const USAGES = [
  'any',
  'cert sign',
  'client auth',
  'code signing',
  'content commitment',
  'crl sign',
  'data encipherment',
  'decipher only',
  'digital signature',
  'email protection',
  'encipher only',
  'ipsec end system',
  'ipsec tunnel',
  'ipsec user',
  'key agreement',
  'key encipherment',
  'microsoft sgc',
  'netscape sgc',
  'ocsp signing',
  's/mime',
  'server auth',
  'signing',
  'timestamping',
];
const SHORTEST_SECONDS = 600;
const LEGACY_SIGNER = 'kubernetes.io/legacy-unknown';
const TERMINAL = ['Approved', 'Denied', 'Failed'];

export function newRequestErrors(csr: JsonObject, requests: RequestReader): readonly FieldError[] {
  return [...requestErrors(csr, requests), ...usageErrors(csr), ...signerErrors(csr), ...lifetimeErrors(csr)];
}

function requestErrors(csr: JsonObject, requests: RequestReader): readonly FieldError[] {
  const request = requests.readRequest(requestPemOf(csr));
  if (request?.isSelfSigned) return [];
  const why = request === undefined ? 'PEM block type must be CERTIFICATE REQUEST' : 'x509: ECDSA verification failure';
  return [wrong('spec.request', valueAt(csr, 'spec', 'request') ?? null, why)];
}

function usageErrors(csr: JsonObject): readonly FieldError[] {
  const usages = textsAt(csr, 'spec', 'usages');
  if (usages.length === 0) return [{ type: 'Required', field: 'spec.usages', message: 'Required value' }];
  const supported = USAGES.map(quoted).join(', ');
  return usages.flatMap((usage, index): readonly FieldError[] => {
    const field = `spec.usages[${index}]`;
    const unknown = USAGES.includes(usage)
      ? []
      : [
          {
            type: 'NotSupported',
            field,
            message: `Unsupported value: ${quoted(usage)}: supported values: ${supported}`,
          } as const,
        ];
    const repeated =
      usages.indexOf(usage) < index
        ? [{ type: 'Duplicate', field, message: `Duplicate value: ${quoted(usage)}` } as const]
        : [];
    return [...unknown, ...repeated];
  });
}

function signerErrors(csr: JsonObject): readonly FieldError[] {
  const signer = textAt(csr, 'spec', 'signerName');
  const field = 'spec.signerName';
  if (signer === '') return [{ type: 'Required', field, message: 'Required value' }];
  if (signer === LEGACY_SIGNER)
    return [wrong(field, signer, 'the legacy signerName is not allowed via this API version')];
  const [domain = '', path = '', ...rest] = signer.split('/');
  if (path === '' || rest.length > 0) {
    return [wrong(field, signer, "must be a fully qualified domain and path of the form 'example.com/signer-name'")];
  }
  const labels = domain.split('.');
  const bad = labels.filter(label => !LABEL.test(label) || label.length > 63);
  return [
    ...bad.map(label => wrong(field, domain, `validating label ${quoted(label)}: ${LABEL_RULE}`)),
    ...(labels.length < 2
      ? [wrong(field, domain, 'should be a domain with at least two segments separated by dots')]
      : []),
  ];
}

const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const LABEL_RULE =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";

function lifetimeErrors(csr: JsonObject): readonly FieldError[] {
  const asked = valueAt(csr, 'spec', 'expirationSeconds');
  if (typeof asked !== 'number' || asked >= SHORTEST_SECONDS) return [];
  return [wrong('spec.expirationSeconds', asked, 'may not specify a duration less than 600 seconds (10 minutes)')];
}

/** `approval` may add Approved and Denied, `status` the certificate, and neither takes a verdict back. */
export function requestUpdateErrors(csr: JsonObject, old: JsonObject, subresource: string): readonly FieldError[] {
  return [
    ...conditionErrors(csr),
    ...TERMINAL.flatMap(type => removalErrors(csr, old, type)),
    ...(subresource === 'approval' ? [] : ['Approved', 'Denied'].flatMap(type => verdictErrors(csr, old, type))),
    ...certificateErrors(csr, old, subresource),
  ];
}

function conditionErrors(csr: JsonObject): readonly FieldError[] {
  const conditions = listAt(csr, 'status', 'conditions');
  const each = conditions.flatMap((condition, index): readonly FieldError[] => {
    const field = `status.conditions[${index}]`;
    const type = textAt(condition, 'type');
    const isRepeated = conditions.findIndex(other => textAt(other, 'type') === type) < index;
    return [
      ...(type === '' ? [{ type: 'Required', field: `${field}.type`, message: 'Required value' } as const] : []),
      ...conditionStatusErrors(condition, `${field}.status`),
      ...(isRepeated
        ? [{ type: 'Duplicate', field: `${field}.type`, message: `Duplicate value: ${quoted(type)}` } as const]
        : []),
    ];
  });
  const types = conditions.map(condition => textAt(condition, 'type'));
  if (!types.includes('Approved') || !types.includes('Denied')) return each;
  const last = types.findLast(type => type === 'Approved' || type === 'Denied') ?? '';
  return [...each, wrong('status.conditions', last, 'Approved and Denied conditions are mutually exclusive')];
}

function conditionStatusErrors(condition: Json, field: string): readonly FieldError[] {
  const status = textAt(condition, 'status');
  const allowed = TERMINAL.includes(textAt(condition, 'type')) ? ['True'] : ['False', 'True', 'Unknown'];
  if (status === '') return [{ type: 'Required', field, message: 'Required value' }];
  if (allowed.includes(status)) return [];
  const supported = allowed.map(quoted).join(', ');
  return [
    { type: 'NotSupported', field, message: `Unsupported value: ${quoted(status)}: supported values: ${supported}` },
  ];
}

function removalErrors(csr: JsonObject, old: JsonObject, type: string): readonly FieldError[] {
  if (ofType(csr, type).length >= ofType(old, type).length) return [];
  return [forbiddenChange('status.conditions', `updates may not remove a condition of type ${quoted(type)}`)];
}

function verdictErrors(csr: JsonObject, old: JsonObject, type: string): readonly FieldError[] {
  const [after, before] = [ofType(csr, type), ofType(old, type)];
  if (after.length > before.length) {
    return [forbiddenChange('status.conditions', `updates may not add a condition of type ${quoted(type)}`)];
  }
  if (after.length < before.length || isDeepStrictEqual(after, before)) return [];
  return [forbiddenChange('status.conditions', `updates may not modify a condition of type ${quoted(type)}`)];
}

function certificateErrors(csr: JsonObject, old: JsonObject, subresource: string): readonly FieldError[] {
  const [after, before] = [textAt(csr, 'status', 'certificate'), textAt(old, 'status', 'certificate')];
  const field = 'status.certificate';
  if (after === before) return [];
  if (subresource !== 'status') return [forbiddenChange(field, 'updates may not set certificate content')];
  if (before !== '') return [forbiddenChange(field, 'updates may not modify existing certificate content')];
  const pem = Buffer.from(after, 'base64').toString('utf8');
  if (/-----BEGIN CERTIFICATE-----[\s\S]+-----END CERTIFICATE-----/.test(pem)) return [];
  return [wrong(field, '<certificate data>', 'must contain at least one CERTIFICATE PEM block')];
}

const ofType = (csr: JsonObject, type: string): readonly Json[] =>
  listAt(csr, 'status', 'conditions').filter(condition => textAt(condition, 'type') === type);

const wrong = (field: string, value: Json, why: string): FieldError => ({
  type: 'Invalid',
  field,
  message: `Invalid value: ${JSON.stringify(value)}: ${why}`,
});

const forbiddenChange = (field: string, why: string): FieldError => ({
  type: 'Forbidden',
  field,
  message: `Forbidden: ${why}`,
});
