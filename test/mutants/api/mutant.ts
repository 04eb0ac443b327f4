// What a mutant of the API is: a fault of one line that we fear, and which conformance cases or unit tests tell it.

import type { Group } from '../../conformance/frame/case.ts';

interface Changed {
  /** The fault, as a sentence about the server that has it. */
  readonly name: string;
  readonly file: string;
  /** Text that stands in the file exactly once. */
  readonly line: string;
  readonly instead: string;
}

/** Parts of the sentences of the cases that run; one of them must be answered otherwise than it is recorded. */
export type ToldByCases = Changed & { readonly group: Group; readonly cases: readonly string[] };

/** Test files, one of which must fail. */
export type ToldByTests = Changed & { readonly caughtBy: readonly string[] };

export type ApiMutant = ToldByCases | ToldByTests;
