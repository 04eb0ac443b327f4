// Who makes service account tokens, and what tells others how to check them, as the handler asks for them.

import type { Status } from '../kube/errors.ts';
import type { JsonObject } from './parts.ts';

/** Issues service account tokens: what `serviceaccounts/token` answers. */
export interface TokenIssuer {
  /** `spec` is the TokenRequest's; `bound` the object of `spec.boundObjectRef`, already looked up. */
  issue(call: {
    readonly serviceAccount: JsonObject;
    readonly spec: JsonObject;
    readonly bound: JsonObject | undefined;
  }): Promise<
    | {
        readonly token: string;
        readonly expirationTimestamp: string;
        /** The request's spec with audiences and lifetime as they were given. */
        readonly spec?: JsonObject;
      }
    | { readonly refused: Status }
  >;
}

/** By which anybody checks service account tokens without this API: the documents of OpenID Connect's discovery. */
export interface IssuerDocuments {
  /** `keysAddress`: where the keys can be had. */
  configuration(keysAddress: string): JsonObject;
  /** A JSON Web Key Set. */
  keys(): JsonObject;
}
