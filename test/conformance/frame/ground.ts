// What a case runs on: a server over HTTPS, whose administrator it is. Both servers stand on the same ground.

import type { Authority } from '../../kube/certificates.ts';

export interface Ground {
  /** `https://127.0.0.1:PORT`. */
  readonly url: string;
  readonly caPem: string;
  /** Of a user in system:masters. */
  readonly adminToken: string;
  /** Put before every name that a case makes, and taken out of what it records: several runs share a server. */
  readonly prefix: string;
  /** Compacts: what was before can no longer be read page by page or watched. */
  readonly forget: () => Promise<void>;
}

/** A ground that this process started; it also knows the authority that signs its clients. */
export interface OwnGround extends Ground, AsyncDisposable {
  readonly authority?: Authority;
}
