// Users of a case's own, with the rules that are granted to them.

import type { Trial } from '../frame/trial.ts';
import type { Impersonated } from '../frame/wire.ts';

export const RBAC = '/apis/rbac.authorization.k8s.io/v1';

export interface Rule {
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

/** A user of the case's own: nobody else grants them anything. */
export const someone = (t: Trial, name = 'user'): Impersonated => ({
  user: t.own(name),
  groups: ['system:authenticated'],
});

/** Grants `rules` everywhere. */
export async function grantedEverywhere(t: Trial, rules: readonly Rule[], name = 'user'): Promise<Impersonated> {
  const role = t.own(`${name}-role`);
  const who = someone(t, name);
  await t.quietly({ method: 'POST', path: `${RBAC}/clusterroles`, body: { metadata: { name: role }, rules } });
  await t.quietly({
    method: 'POST',
    path: `${RBAC}/clusterrolebindings`,
    body: { metadata: { name: role }, roleRef: roleRef('ClusterRole', role), subjects: [subject(who.user)] },
  });
  t.after(() => t.quietly({ method: 'DELETE', path: `${RBAC}/clusterroles/${role}` }));
  t.after(() => t.quietly({ method: 'DELETE', path: `${RBAC}/clusterrolebindings/${role}` }));
  await informed(t, who, rules);
  return who;
}

/** Grants `rules` in the case's Namespace. */
export async function grantedHere(t: Trial, rules: readonly Rule[], name = 'user'): Promise<Impersonated> {
  const who = someone(t, name);
  const metadata = { name: `${name}-role` };
  await t.quietly({ method: 'POST', path: await t.in('roles', RBAC), body: { metadata, rules } });
  await t.quietly({
    method: 'POST',
    path: await t.in('rolebindings', RBAC),
    body: { metadata, roleRef: roleRef('Role', metadata.name), subjects: [subject(who.user)] },
  });
  await informed(t, who, rules);
  return who;
}

export const roleRef = (kind: 'Role' | 'ClusterRole', name: string): object => ({
  apiGroup: 'rbac.authorization.k8s.io',
  kind,
  name,
});

export const subject = (name: string): object => ({ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name });

/** The real server learns of a binding a moment later: asks until a rule has come. */
async function informed(t: Trial, as: Impersonated, rules: readonly Rule[]): Promise<void> {
  const path = '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews';
  const wanted = rules.map(rule => JSON.stringify([...(rule.resources ?? rule.nonResourceURLs ?? [])].sort()));
  for (let tries = 0; tries < 200; tries++) {
    const { json } = await t.quietly({ method: 'POST', path, body: { spec: { namespace: t.ns } }, as });
    const { resourceRules, nonResourceRules } = json.status;
    const held = [...resourceRules, ...nonResourceRules].map(({ resources, nonResourceURLs }) =>
      JSON.stringify([...(resources ?? nonResourceURLs)].sort()),
    );
    if (held.some(resources => wanted.includes(resources))) return;
    await new Promise(resolve => setTimeout(resolve, 20));
  }
  throw new Error(`${as.user} has no rules`);
}
