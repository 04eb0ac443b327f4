// What the signers of a cluster certify once somebody has approved it, and what fails although it was approved.

import { NODE_SIGNER, type RequestedSubject } from './approval.ts';

export type Usage = 'client' | 'server';

export type Verdict =
  /** `of`: whose certificate it is says how long it may live. */
  | { readonly kind: 'granted'; readonly usages: readonly Usage[]; readonly of: 'node' | 'person' }
  | { readonly kind: 'failed'; readonly why: string }
  /** Left alone: another signer may know it. */
  | { readonly kind: 'notOurs' };

const [CLIENT, SERVER] = ['client auth', 'server auth'];
const OF_KEYS = ['digital signature', 'key encipherment'];

type Judge = (subject: RequestedSubject, usages: readonly string[]) => Verdict;

const SIGNERS: Readonly<Record<string, Judge>> = {
  'kubernetes.io/kube-apiserver-client': (_, usages) =>
    isFor(CLIENT, usages) ? { kind: 'granted', usages: ['client'], of: 'person' } : { kind: 'notOurs' },
  [NODE_SIGNER]: (subject, usages) =>
    failure(nodeProblem(subject) ?? aloneProblem(subject) ?? usageProblem(CLIENT, usages)) ?? ofNode('client'),
  'kubernetes.io/kubelet-serving': (subject, usages) =>
    failure(nodeProblem(subject) ?? hostProblem(subject) ?? usageProblem(SERVER, usages)) ?? ofNode('server'),
};

const ofNode = (usage: Usage): Verdict => ({ kind: 'granted', usages: [usage], of: 'node' });

const failure = (why: string | undefined): Verdict | undefined =>
  why === undefined ? undefined : { kind: 'failed', why };

export const isSignedHere = (signerName: string): boolean => SIGNERS[signerName] !== undefined;

export function verdictOf(signerName: string, subject: RequestedSubject, usages: readonly string[]): Verdict {
  return SIGNERS[signerName]?.(subject, usages) ?? { kind: 'notOurs' };
}

/** In Kubernetes' words, as all of these: they are written on the request. */
function nodeProblem({ organizations, commonName }: RequestedSubject): string | undefined {
  const isOfNodes = organizations.length === 1 && organizations[0] === 'system:nodes';
  if (!isOfNodes) return 'subject organization is not system:nodes';
  return commonName.startsWith('system:node:') ? undefined : 'subject common name does not begin with system:node:';
}

function aloneProblem({ hasAlternativeNames }: RequestedSubject): string | undefined {
  return hasAlternativeNames ? 'DNS subjectAltNames are not allowed' : undefined;
}

function hostProblem({ namesHosts = false, namesOthers = false }: RequestedSubject): string | undefined {
  if (!namesHosts) return 'DNS or IP subjectAltName is required';
  return namesOthers ? 'Email subjectAltNames are not allowed' : undefined;
}

const isFor = (usage: string | undefined, usages: readonly string[]): boolean =>
  usages.includes(usage ?? '') && usages.every(each => each === usage || OF_KEYS.includes(each));

function usageProblem(usage: string | undefined, usages: readonly string[]): string | undefined {
  const wanted = ['digital signature', 'key encipherment', usage].join(' ');
  return isFor(usage, usages) ? undefined : `usages did not match [${wanted}]`;
}
