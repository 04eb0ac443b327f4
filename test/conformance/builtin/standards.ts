// The Pod security standards that a Namespace enforces from now on, and the Pods that are there already.

import type { Case } from '../frame/case.ts';
import { aPod, podsIn } from '../frame/prepared.ts';

const LABEL = 'pod-security.kubernetes.io/enforce';
const MERGE = 'merge-patch+json';

const labelled = (labels: object): object => ({ metadata: { labels } });

export const standards: readonly Case[] = [
  {
    says: 'whoever makes a Namespace restricted is warned of the Pod that is there',
    steps: async t => {
      const pods = await podsIn(t);
      await t.quietly({ method: 'POST', path: pods, body: aPod('a') });
      const own = `/api/v1/namespaces/${t.ns}`;
      await t.patch(`${own}?dryRun=All`, MERGE, labelled({ [LABEL]: 'restricted' }));
      await t.patch(`${own}?dryRun=All`, MERGE, labelled({ [LABEL]: 'baseline' }));
      await t.patch(`${own}?dryRun=All`, MERGE, labelled({ [LABEL]: 'privileged' }));
      await t.patch(own, MERGE, labelled({ [LABEL]: 'restricted' }));
      await t.patch(own, MERGE, labelled({ [LABEL]: 'restricted', other: 'label' }));
      await t.patch(own, MERGE, labelled({ [`${LABEL}-version`]: 'v1.30' }));
      await t.patch(own, MERGE, labelled({ [LABEL]: null }));
    },
  },
  {
    says: 'a Namespace that enforces the baseline warns of a Pod on the network of its Node',
    steps: async t => {
      const pods = await podsIn(t);
      await t.quietly({ method: 'POST', path: pods, body: aPod('a', { hostNetwork: true, hostPID: true }) });
      const own = `/api/v1/namespaces/${t.ns}`;
      await t.patch(`${own}?dryRun=All`, MERGE, labelled({ [LABEL]: 'baseline' }));
      await t.patch(`${own}?dryRun=All`, MERGE, labelled({ [LABEL]: 'odd' }));
    },
  },
  {
    says: 'a Namespace without Pods is restricted without a warning',
    steps: async t => {
      await t.in('pods');
      await t.patch(`/api/v1/namespaces/${t.ns}`, MERGE, labelled({ [LABEL]: 'restricted' }));
    },
  },
];
