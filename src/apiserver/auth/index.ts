// What the request handler uses of authentication, authorization and the admission that belongs to them.

export { type Authorization, authorization } from './authorizers.ts';
export { noEscalation } from './escalation.ts';
export { impersonate } from './impersonation.ts';
export { nodeRestriction } from './node-restriction.ts';
export { bootstrapObjects } from './policy/bootstrap.ts';
export { notAllowed } from './refusal.ts';
