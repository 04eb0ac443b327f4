// A cluster as upstream's manifests leave it: its definitions, converted by its own Service, and its webhooks that fail without it.

import { realKeys } from '../../../src/adapters/keys/index.ts';
import { definitionsOf } from '../../../src/fleet/definitions.ts';
import { converterOf, valueAt } from '../../../src/fleet/metal-endpoint/converters.ts';
import type { Api } from '../../../src/kube/api.ts';
import {
  CustomResourceDefinition,
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from '../../../src/kube/core/other.ts';
import type { UpstreamVersion } from './load.ts';

interface Version {
  readonly name: string;
}

const SERVICE = { namespace: 'capm3-system', name: 'capm3-webhook-service' };
const PROVIDERS = { metal: 'infrastructure-metal3', ipam: 'ipam-metal3' } as const;

/** 1.8 knows v1beta1 alone; 1.13 stores v1beta2, and converts. */
function upstreams(ours: CustomResourceDefinition, version: UpstreamVersion): CustomResourceDefinition {
  const all = valueAt(ours.spec, 'versions') as readonly Version[];
  const kept = version === '1.8' ? all.filter(({ name }) => name !== 'v1beta2') : all;
  const converted = converterOf(ours).at !== undefined;
  const [storage] = converted && version === '1.8' ? ['v1beta1'] : kept.map(({ name }) => name);
  const versions = kept.map(each => ({ ...bare(each), storage: each.name === storage }));
  const clientConfig = { service: { ...SERVICE, path: '/convert', port: 443 }, caBundle: btoa(CERTIFICATE) };
  const conversion = { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v1', 'v1beta1'] } };
  const { labels } = ours.metadata;
  return {
    ...ours,
    metadata: {
      name: ours.metadata.name,
      ...(labels === undefined ? {} : { labels }),
      annotations: { 'cert-manager.io/inject-ca-from': 'capm3-system/capm3-serving-cert' },
    },
    spec: { ...(ours.spec as object), versions, ...(converted ? { conversion } : {}) },
  };
}

/** Upstream's rules are in its webhooks, not in its definitions. */
const bare = (version: Version): Version =>
  JSON.parse(JSON.stringify(version, (name, value) => (name === 'x-kubernetes-validations' ? undefined : value)));

/** A real one: an API server does not serve a kind whose converter's authority it cannot read. */
const { certificatePem: CERTIFICATE } = await realKeys.authority('capm3', 0, Date.UTC(2100, 0, 1));

/** In place of whatever definitions of these kinds there are. */
export async function defineAsUpstream(api: Api, version: UpstreamVersion): Promise<void> {
  for (const ours of definitionsOf(['metal'])) {
    const { name } = ours.metadata;
    const wanted = upstreams(ours, version);
    const now = await api.find(CustomResourceDefinition, { name });
    await (now === undefined
      ? api.create(CustomResourceDefinition, wanted)
      : api.update(CustomResourceDefinition, { ...wanted, metadata: { ...now.metadata, ...wanted.metadata } }));
  }
}

/** Before any object is there. */
export async function removeOurs(api: Api): Promise<void> {
  for (const { metadata } of definitionsOf(['metal'])) {
    await api.delete(CustomResourceDefinition, { name: metadata.name });
  }
}

/** `failurePolicy: Fail`, and nobody behind them. */
export async function installUpstreamWebhooks(api: Api): Promise<void> {
  for (const half of ['metal', 'ipam'] as const) {
    const group = half === 'metal' ? 'infrastructure.cluster.x-k8s.io' : 'ipam.metal3.io';
    const prefix = half === 'metal' ? 'capm3' : 'ipam';
    const webhook = {
      failurePolicy: 'Fail',
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      clientConfig: { service: { ...SERVICE, name: `${prefix}-webhook-service`, path: '/judge' } },
      rules: [{ apiGroups: [group], apiVersions: ['*'], operations: ['CREATE', 'UPDATE'], resources: ['*'] }],
    };
    for (const kind of [ValidatingWebhookConfiguration, MutatingWebhookConfiguration]) {
      const verb = kind === ValidatingWebhookConfiguration ? 'validating' : 'mutating';
      await api.create(kind, {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: kind.kind,
        metadata: {
          name: `${prefix}-${verb}-webhook-configuration`,
          labels: { 'cluster.x-k8s.io/provider': PROVIDERS[half] },
        },
        webhooks: [{ ...webhook, name: `judge.${verb}.${group}` }],
      });
    }
  }
}
