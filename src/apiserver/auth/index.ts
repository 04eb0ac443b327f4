// What the request handler and the wiring use of authentication, authorization and the admission that belongs to them.

export { type AccessOptions, accessParts, tokenWorldOf } from './access-parts.ts';
export type { StaticToken } from './authenticate.ts';
export { BETWEEN_VALUES, impersonate } from './impersonation.ts';
export { mintSecretToken } from './issue-token.ts';
export { controllerRoles } from './policy/controller-roles.ts';
export { notAllowed } from './refusal.ts';
export { nodeSigner } from './sign-certificate.ts';
