// Faults in who may do what: RBAC, escalation, Nodes, tokens, impersonation, certificates.

import type { ApiMutant } from './mutant.ts';

const TOKENS = ['src/apiserver/auth/tokens.test.ts'];

export const access: readonly ApiMutant[] = [
  {
    name: 'a role that is bound in one Namespace grants in all',
    file: 'src/apiserver/auth/rbac-snapshot.ts',
    line: 'mine.flatMap(grants => grants.get(namespace) ?? [])',
    instead: 'mine.flatMap(grants => [...grants.values()].flat())',
    group: 'access',
    cases: ['a cluster role that is bound in a namespace grants there alone'],
  },
  {
    name: 'a rule about some names grants all of them',
    file: 'src/apiserver/auth/rules.ts',
    line: 'return names.length === 0 || names.includes(targetName(attributes));',
    instead: 'return true;',
    group: 'access',
    cases: ['resourceNames restrict get, update and delete'],
  },
  {
    name: 'who may write roles grants itself everything',
    file: 'src/apiserver/auth/escalation.ts',
    line: 'if (missing.length === 0) return unchanged(call.object);',
    instead: 'return unchanged(call.object);',
    group: 'access',
    cases: ['nobody grants what they do not have'],
  },
  {
    name: 'who may write bindings binds itself to any role',
    file: 'src/apiserver/auth/escalation.ts',
    line: 'if (world.authorize({ ...call.attributes, ...bind }).allowed) return unchanged(binding);',
    instead: 'return unchanged(binding);',
    group: 'access',
    cases: ['nobody binds a role that holds more than they do'],
  },
  {
    name: 'who holds one object by name grants all of its kind',
    file: 'src/apiserver/auth/rules.ts',
    line: 'return wanted.length > 0 && wanted.every(',
    instead: 'return wanted.every(',
    caughtBy: ['src/apiserver/auth/escalation.test.ts'],
  },
  {
    name: 'a Node reads every Secret whose name it knows',
    file: 'src/apiserver/auth/node-authorizer.ts',
    line: 'if (reaches(stored, node, what, { namespace: attributes.namespace, name })) return yes;',
    instead: 'return yes;',
    group: 'access',
    cases: ['a Node reads the secrets and config maps of its Pods by name'],
  },
  {
    name: 'a Node changes another Node',
    file: 'src/apiserver/auth/node-restriction.ts',
    line: 'if (name !== node) return `node',
    instead: "if (name === '') return `node",
    group: 'access',
    cases: ['a Node changes its own object'],
  },
  {
    name: 'a token outlives the secret that it is bound to',
    file: 'src/apiserver/auth/check-token.ts',
    line: "if (object === undefined) return 'service account token has been invalidated';",
    instead: 'if (object === undefined) return undefined;',
    group: 'access',
    cases: ['a token dies with the secret that it is bound to'],
  },
  {
    name: 'a token that anybody signed is believed',
    file: 'src/apiserver/auth/check-token.ts',
    line: 'if (!isProved) return refused(BAD_SIGNATURE);',
    instead: '',
    caughtBy: TOKENS,
  },
  {
    name: 'a token of an account that was deleted and made anew is believed',
    file: 'src/apiserver/auth/check-token.ts',
    line: 'if (current !== uid) return `service account UID',
    instead: "if (current === '') return `service account UID",
    caughtBy: TOKENS,
  },
  {
    name: 'a token for somebody else is taken here',
    file: 'src/apiserver/auth/authenticate.ts',
    line: 'if (shared.length > 0) return { ...answer, audiences: shared };',
    instead: 'if (answer.audiences.length > 0) return { ...answer, audiences: shared };',
    group: 'access',
    cases: ['a token for another audience is not for this server'],
  },
  {
    name: 'who may impersonate a user takes any group with it',
    file: 'src/apiserver/auth/impersonation.ts',
    line: 'if (!verdict.allowed) return',
    instead: "if (!verdict.allowed && attributes.resource === 'users') return",
    caughtBy: ['src/apiserver/auth/impersonation.test.ts'],
  },
];
