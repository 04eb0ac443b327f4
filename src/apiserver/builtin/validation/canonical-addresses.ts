// Addresses and networks in the forms that are taken, as errors of their fields.

import { addressFormProblem, addressProblem, networkFormProblem, networkProblem } from '../../rules/address-forms.ts';
import { invalid } from '../../schema/field-errors.ts';
import { NONE } from './fields.ts';
import type { Errors } from './texts.ts';

type TextCheck = (path: string, text: string) => Errors;

const told =
  (problemOf: (text: string) => string | undefined): TextCheck =>
  (path, text) => {
    const problem = problemOf(text);
    return problem === undefined ? NONE : [invalid(path, text, problem)];
  };

export const soundAddressErrors = told(addressProblem);
export const canonicalAddressErrors = told(addressFormProblem);
export const soundNetworkErrors = told(networkProblem);
export const canonicalNetworkErrors = told(networkFormProblem);
