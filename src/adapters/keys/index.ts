// Real keys, certificates and signatures. Fault runs use seeded ones instead (sim/keys).

import 'reflect-metadata';
import type { Cryptography } from '../../base/keys.ts';
import { authority, certify, readCertificate } from './certificates.ts';
import { pair, sshPair } from './pairs.ts';
import { readRequest, signingRequest } from './requests.ts';
import { algorithm, fingerprint, sign, verify } from './signatures.ts';

/** Stateless: one for the whole process will do. */
export const realKeys: Cryptography = {
  pair,
  sshPair,
  authority,
  certify,
  readCertificate,
  signingRequest,
  readRequest,
  algorithm,
  sign,
  verify,
  fingerprint,
};
