// Why a Data cannot be rendered whatever is waited for: each goes to `status.errorMessage`, and away with its cause.

import { defineError, PippinError } from '../../base/errors.ts';
import { explain } from '../../kube/failure.ts';
import type { Fields } from '../../kube/merge-patch.ts';

/** The bound in the definition. */
const LONGEST_MESSAGE = 512;

export const dataWithoutClaim = defineError('PIPPIN_E_METAL_DATA_WITHOUT_CLAIM', {
  retry: 'never',
  remedy: 'Delete this Metal3Data: it is made anew for the claim that needs one',
  says: (data: string) => `Metal3Data ${data} has no spec.claim`,
});

export const claimWithoutMachine = defineError('PIPPIN_E_METAL_CLAIM_WITHOUT_MACHINE', {
  retry: 'never',
  remedy: 'Give the claim its Metal3Machine as an owner, or delete it',
  says: (claim: string) => `Metal3DataClaim ${claim} has no Metal3Machine among its owners`,
});

export const templateMismatch = defineError('PIPPIN_E_METAL_TEMPLATE_MISMATCH', {
  retry: 'never',
  remedy: 'Delete the machine, so that it is made anew with the template that its Metal3Machine names',
  says: (machine: string, names: string, template: string) =>
    `Metal3Machine ${machine} has ${names} as spec.dataTemplate, and not Metal3DataTemplate ${template}`,
});

export const addressRefused = defineError('PIPPIN_E_METAL_ADDRESS_REFUSED', {
  retry: 'never',
  remedy: 'Put right what the claim names: it gets its address as soon as it can have one',
  says: (claim: string, why: string) => `IPClaim ${claim} gets no address: ${why}`,
});

/** What goes to `status.errorMessage`: upstream takes that as final, so a failure that ends by itself never does. */
export function errorFields(error: unknown): Fields {
  if (!(error instanceof PippinError) || error.retry !== 'never') return {};
  return { errorMessage: explain(error).slice(0, LONGEST_MESSAGE) };
}
