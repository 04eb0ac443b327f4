// Ed25519 keys for simulated Macs and their visitors, each one that ssh2 can read back.

import ssh2 from 'ssh2';

/** An OpenSSH private key and its authorized_keys line. */
export interface SimKeyPair {
  readonly private: string;
  readonly public: string;
}

/** About one in a thousand keys that ssh2 makes it cannot parse itself ("Malformed OpenSSH private key"): those are thrown away. */
export function newKeyPair(comment = ''): SimKeyPair {
  for (;;) {
    const pair = ssh2.utils.generateKeyPairSync('ed25519', { comment });
    if (!(ssh2.utils.parseKey(pair.private) instanceof Error)) return pair;
  }
}
