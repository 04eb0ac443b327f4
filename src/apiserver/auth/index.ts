// What the request handler and the wiring use of authentication, authorization and the admission that belongs to them.

export {
  type AuthenticationOptions,
  authenticator,
  type StaticToken,
  type TokenReader,
  tokenReader,
} from './authenticate.ts';
export { type Authorization, authorization } from './authorizers.ts';
export { certificateAdmission } from './csr-admission.ts';
export { noEscalation } from './escalation.ts';
export { impersonate } from './impersonation.ts';
export { mintSecretToken, type SecretTokenSubject, tokenIssuer } from './issue-token.ts';
export { nodeRestriction } from './node-restriction.ts';
export { bootstrapObjects } from './policy/bootstrap.ts';
export { notAllowed } from './refusal.ts';
export { reviews } from './reviews.ts';
export { readSigned, type SigningWorld, signCertificate, signerObjection } from './sign-certificate.ts';
export { DEFAULT_ISSUER, type TokenWorld } from './token-world.ts';
