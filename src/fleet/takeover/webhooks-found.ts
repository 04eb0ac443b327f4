// The webhook configurations that upstream leaves behind: they fail every write to its kinds once it is gone.

import type { Api } from '../../kube/api.ts';
import {
  type AdmissionWebhooks,
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from '../../kube/core/other.ts';
import type { Kind } from '../../kube/kind.ts';
import { labelOf } from '../../kube/object.ts';
import { addressIn, valueAt } from '../metal-endpoint/converters.ts';
import { PROVIDER_LABEL } from './activity.ts';
import { HALVES, type HalfName } from './halves.ts';

export interface FoundWebhooks {
  readonly kind: Kind<AdmissionWebhooks>;
  readonly configuration: AdmissionWebhooks;
  /** Names of those webhooks in it that judge our kinds. */
  readonly judging: readonly string[];
}

/** Services of upstream's manifests; people's own webhooks on the same kinds are theirs to keep. */
const SERVICES = /\/(capm3|ipam|ipam-metal3|metal3-ipam)-webhook-service$/;

export async function foundWebhooks(api: Api, halves: readonly HalfName[]): Promise<readonly FoundWebhooks[]> {
  const kinds = [ValidatingWebhookConfiguration, MutatingWebhookConfiguration];
  const found = await Promise.all(
    kinds.map(async kind => (await api.list(kind)).items.map(configuration => foundIn(kind, configuration, halves))),
  );
  return found.flat().filter(({ judging }) => judging.length > 0);
}

function foundIn(
  kind: Kind<AdmissionWebhooks>,
  configuration: AdmissionWebhooks,
  halves: readonly HalfName[],
): FoundWebhooks {
  const label = labelOf(configuration, PROVIDER_LABEL);
  const isLabelled = halves.some(half => HALVES[half].provider === label);
  const judging = (configuration.webhooks ?? [])
    .filter(webhook => isLabelled || SERVICES.test(addressIn(valueAt(webhook, 'clientConfig')) ?? ''))
    .filter(webhook => halves.some(half => groupsOf(webhook).includes(HALVES[half].group)))
    .map(webhook => String(valueAt(webhook, 'name')));
  return { kind, configuration, judging };
}

function groupsOf(webhook: unknown): readonly string[] {
  const rules = valueAt(webhook, 'rules');
  return (Array.isArray(rules) ? rules : []).flatMap((rule): readonly string[] => {
    const groups = valueAt(rule, 'apiGroups');
    return Array.isArray(groups) ? groups.map(String) : [];
  });
}

/** Takes out what judges our kinds; a configuration with nothing else goes as a whole. */
export async function removeWebhooks(api: Api, { kind, configuration, judging }: FoundWebhooks): Promise<void> {
  const { name, uid, resourceVersion } = configuration.metadata;
  const others = (configuration.webhooks ?? []).filter(webhook => !judging.includes(String(valueAt(webhook, 'name'))));
  if (others.length > 0) {
    await api.update(kind, { ...configuration, webhooks: others });
    return;
  }
  await api.delete(
    kind,
    { name },
    {
      ...(uid === undefined ? {} : { uid }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
    },
  );
}
