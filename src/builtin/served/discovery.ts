// Which kinds a server serves, asked of the server itself: custom kinds come and go while we run.

import type { Kind } from '../../kube/kind.ts';
import { askJson, type Caller } from '../../kube/request.ts';

/** A kind as discovery lists it. */
export interface ServedKind extends Kind {
  readonly verbs: readonly string[];
}

/** What discovery said. `failed` names the groups that gave no answer: what they hold is unknown, not absent (safe-3). */
export interface Discovered {
  readonly kinds: readonly ServedKind[];
  readonly failed: readonly string[];
}

/** Asks the server; throws when not even the list of groups could be read. */
export type Discovery = () => Promise<Discovered>;

interface ResourceList {
  readonly resources?: readonly {
    readonly name: string;
    readonly kind: string;
    readonly namespaced?: boolean;
    readonly verbs?: readonly string[];
  }[];
}

interface GroupList {
  readonly groups?: readonly {
    readonly name: string;
    readonly preferredVersion?: { readonly version: string };
    readonly versions?: readonly { readonly version: string }[];
  }[];
}

/** Discovery by legacy documents. Each group is asked in its preferred version only: one object, one kind. */
export function discoveryOf(caller: Caller): Discovery {
  return async () => {
    const { groups = [] } = await askJson<GroupList>(caller, { method: 'GET', path: '/apis' });
    const roots = groups.flatMap(group => {
      const version = group.preferredVersion?.version ?? group.versions?.[0]?.version;
      return version === undefined ? [] : [{ group: group.name, version }];
    });
    const answers = await Promise.all([{ group: '', version: 'v1' }, ...roots].map(root => kindsOf(root, caller)));
    return {
      kinds: answers.flatMap(answer => (typeof answer === 'string' ? [] : answer)),
      failed: answers.filter(answer => typeof answer === 'string'),
    };
  };
}

interface Root {
  readonly group: string;
  readonly version: string;
}

/** The kinds of one group and version; its name when it gave no answer. */
async function kindsOf(root: Root, caller: Caller): Promise<readonly ServedKind[] | string> {
  const name = root.group === '' ? root.version : `${root.group}/${root.version}`;
  try {
    const path = root.group === '' ? `/api/${name}` : `/apis/${name}`;
    const { resources = [] } = await askJson<ResourceList>(caller, { method: 'GET', path });
    return resources
      .filter(resource => !resource.name.includes('/'))
      .map(({ name: plural, kind, namespaced = false, verbs = [] }) => ({ ...root, kind, plural, namespaced, verbs }));
  } catch {
    // One group's failure is data: whoever asked decides what may be done without it.
    return name;
  }
}
