// A short notation for the default roles: verbs, groups and resources as words.

import type { PolicyRule } from '../../../kube/core/other.ts';

const VERBS: Readonly<Record<string, string>> = {
  READ: 'get list watch',
  WRITE: 'create update patch delete deletecollection',
  ALL: 'get list watch create update patch delete deletecollection',
};

/** The core group, where a group is written as a word. */
const CORE = 'core';

/** `rule('READ', 'core', 'pods pods/log')`: words are parted by spaces. */
export function rule(verbs: string, groups: string, resources: string, names?: string): PolicyRule {
  return {
    verbs: words(VERBS[verbs] ?? verbs),
    apiGroups: words(groups)
      .map(group => (group === CORE ? '' : group))
      .sort(),
    resources: words(resources),
    ...(names === undefined ? {} : { resourceNames: words(names) }),
  };
}

/** Access to paths that are no resources. */
export const urls = (verbs: string, paths: string): PolicyRule => ({
  verbs: words(verbs),
  nonResourceURLs: words(paths),
});

/** May emit events, in both groups. */
export const EVENTS: PolicyRule = rule('create update patch', 'core events.k8s.io', 'events');

/** Sorted, as Kubernetes stores the rules of its own roles. */
function words(text: string): readonly string[] {
  return text
    .split(' ')
    .filter(word => word !== '')
    .sort();
}
