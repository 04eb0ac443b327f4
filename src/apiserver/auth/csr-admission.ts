// Certificate requests: who may approve and sign them, and what is never asked for.

import { isDeepStrictEqual } from 'node:util';
import { type Clock, kubeTime } from '../../base/clock.ts';
import type { RequestReader } from '../../base/keys.ts';
import { invalid } from '../answer/status.ts';
import type { Admission, Authorizer, FieldError } from '../parts.ts';
import { preparedUpdate } from './csr-conditions.ts';
import { requestPemOf } from './csr-request.ts';
import { newRequestErrors, requestUpdateErrors } from './csr-rules.ts';
import { textAt, valueAt } from './fields.ts';
import { type AdmissionCall, type Admitted, admitUnless, operationOf, unchanged } from './operation.ts';
import { quoted } from './refusal.ts';

const GROUP = 'certificates.k8s.io';
const CLIENT_SIGNER = 'kubernetes.io/kube-apiserver-client';

interface CertificateWorld {
  readonly authorize: Authorizer;
  readonly requests: RequestReader;
  readonly clock: Clock;
}

/** Runs on CertificateSigningRequests only; validates them too, because no schema can. */
export function certificateAdmission(world: CertificateWorld): Admission {
  return call => {
    const { group, resource } = call.attributes;
    if (group !== GROUP || resource !== 'certificatesigningrequests') return unchanged(call.object);
    switch (operationOf(call)) {
      case 'CREATE':
        return admitNew(world, call);
      case 'UPDATE':
        return admitUpdate(world, call);
      default:
        return unchanged(call.object);
    }
  };
}

function admitNew({ requests }: CertificateWorld, call: AdmissionCall): Admitted {
  const object = call.object ?? {};
  const errors = newRequestErrors(object, requests);
  if (errors.length > 0) return refuse(call, errors);

  const organizations = requests.readRequest(requestPemOf(object))?.organizations ?? [];
  const asksForAll = textAt(object, 'spec', 'signerName') === CLIENT_SIGNER && organizations.includes('system:masters');
  return admitUnless(
    call,
    asksForAll ? `use of ${CLIENT_SIGNER} signer with system:masters group is not allowed` : undefined,
  );
}

/** The signer's name is read from what is stored: a request cannot bring its own. */
function admitUpdate(world: CertificateWorld, call: AdmissionCall): Admitted {
  const { attributes, object = {}, old = {} } = call;
  const { subresource } = attributes;
  if (subresource === '') return unchanged(object);

  const signer = textAt(old, 'spec', 'signerName');
  if (subresource === 'approval' && !mayUseSigner(world, call, 'approve')) {
    return admitUnless(call, `user not permitted to approve requests with signerName ${quoted(signer)}`);
  }
  if (subresource === 'status' && changesVerdict(call) && !mayUseSigner(world, call, 'sign')) {
    return admitUnless(call, `user not permitted to sign requests with signerName ${quoted(signer)}`);
  }
  const time = kubeTime(world.clock.now());
  const prepared = preparedUpdate(object, old, { subresource, time });
  const errors = requestUpdateErrors(prepared, old, subresource);
  return errors.length > 0 ? refuse(call, errors) : unchanged(prepared);
}

function changesVerdict({ object, old }: AdmissionCall): boolean {
  return ['certificate', 'conditions'].some(
    key => !isDeepStrictEqual(valueAt(object, 'status', key), valueAt(old, 'status', key)),
  );
}

/** On the signer by name, or on its whole domain. */
function mayUseSigner({ authorize }: CertificateWorld, { attributes, old }: AdmissionCall, verb: string): boolean {
  const signer = textAt(old, 'spec', 'signerName');
  const names = [signer, `${signer.split('/')[0]}/*`];
  return names.some(name => {
    const asked = { verb, resource: 'signers', subresource: '', namespace: '', name, version: '*' };
    return authorize({ ...attributes, ...asked }).allowed;
  });
}

function refuse({ attributes, object }: AdmissionCall, errors: readonly FieldError[]): Admitted {
  const name = attributes.name || textAt(object, 'metadata', 'name');
  return { refused: invalid({ group: GROUP, resource: 'CertificateSigningRequest', name }, errors).status };
}
