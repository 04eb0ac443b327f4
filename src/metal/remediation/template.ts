// Shows on a Metal3RemediationTemplate how the latest remediation that was made from it stands (metal-B8).

import { minutes } from '../../base/clock.ts';
import { Metal3Remediation } from '../../kinds/generated/metal3-remediation.generated.ts';
import { Metal3RemediationTemplate } from '../../kinds/generated/metal3-remediation-template.generated.ts';
import { CLONED_FROM_KIND_ANNOTATION, CLONED_FROM_NAME_ANNOTATION } from '../../kinds/metal-wire.ts';
import { isBeingMoved, pausedBy } from '../../kinds/pause.ts';
import type { Informer } from '../../kube/cache.ts';
import type { KeyController, KubeWorld } from '../../kube/controller.ts';
import { isNotFound } from '../../kube/errors.ts';
import { same } from '../../kube/merge-patch.ts';
import { annotationOf, isDeleting, keyOf, keyText, type ObjectKey } from '../../kube/object.ts';
import { done } from '../../kube/outcome.ts';

const GROUP_KIND = `${Metal3RemediationTemplate.kind}.${Metal3RemediationTemplate.group}`;
const BY_TEMPLATE = 'metal.remediation.template';
const RECHECK_MS = minutes(10);

type Shown = NonNullable<NonNullable<Metal3RemediationTemplate['status']>['status']>;

export const metal3RemediationTemplate: KeyController<KubeWorld> = {
  name: 'metal3-remediation-template',
  kind: Metal3RemediationTemplate,
  wokenBy: [{ kind: Metal3Remediation, keysFor: object => [templateOf(object as Metal3Remediation) ?? []].flat() }],
  reads: [Metal3Remediation],
  async pass(key, object, world) {
    const template = object as Metal3RemediationTemplate | undefined;
    if (template === undefined || isDeleting(template) || isBeingMoved(template)) return done();
    if (pausedBy(template, undefined) !== undefined) return done(undefined, RECHECK_MS);
    const latest = latestOf(clonesOf(key, world));
    // What was shown of one that is gone meanwhile, stays: it is the latest all the same.
    if (latest !== undefined) await show(template, shownOf(latest), world);
    return done();
  },
};

function templateOf(remediation: Metal3Remediation): ObjectKey | undefined {
  const name = annotationOf(remediation, CLONED_FROM_NAME_ANNOTATION);
  if (name === undefined || annotationOf(remediation, CLONED_FROM_KIND_ANNOTATION) !== GROUP_KIND) return undefined;
  return { namespace: remediation.metadata.namespace ?? '', name };
}

function clonesOf(template: ObjectKey, { caches }: KubeWorld): readonly Metal3Remediation[] {
  const informer: Informer<Metal3Remediation> = caches.of(Metal3Remediation);
  informer.index(BY_TEMPLATE, each => {
    const key = templateOf(each);
    return key === undefined ? [] : [keyText(key)];
  });
  return informer.by(BY_TEMPLATE, keyText(template));
}

/** RFC 3339 in UTC sorts as text. One that has not begun shows nothing. */
function latestOf(remediations: readonly Metal3Remediation[]): Metal3Remediation | undefined {
  const begun = remediations.filter(({ status }) => status?.lastRemediated !== undefined);
  return begun.toSorted((one, other) => (timeOf(one) < timeOf(other) ? 1 : -1))[0];
}

const timeOf = ({ status }: Metal3Remediation): string => status?.lastRemediated ?? '';

const shownOf = ({ status }: Metal3Remediation): Shown => ({
  ...(status?.phase === undefined ? {} : { phase: status.phase }),
  ...(status?.lastRemediated === undefined ? {} : { lastRemediated: status.lastRemediated }),
  ...(status?.retryCount === undefined ? {} : { retryCount: status.retryCount }),
});

async function show(template: Metal3RemediationTemplate, shown: Shown, { api }: KubeWorld): Promise<void> {
  if (same(template.status?.status, shown)) return;
  const { uid, resourceVersion } = template.metadata;
  const before = Object.fromEntries(Object.keys(template.status?.status ?? {}).map(key => [key, null]));
  const body = { metadata: { uid, resourceVersion }, status: { status: { ...before, ...shown } } };
  await api
    .patch(Metal3RemediationTemplate, keyOf(template), body, { subresource: 'status' })
    .catch((error: unknown) => {
      if (!isNotFound(error)) throw error; // gone meanwhile
    });
}
