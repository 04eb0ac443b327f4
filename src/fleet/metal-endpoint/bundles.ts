// The `caBundle` of every definition and webhook that calls the endpoint. Those that call somebody else are not touched.

import type { Api } from '../../kube/api.ts';
import { CustomResourceDefinition, ValidatingWebhookConfiguration } from '../../kube/core/other.ts';
import { addressIn, CONVERTED_DEFINITIONS, converterOf, OUR_ADDRESS, valueAt } from './converters.ts';
import { ADMISSION_CONFIGURATION } from './names.ts';

/** Puts the bundle (PEM) wherever another is. What was written over meanwhile throws Conflict: look again. */
export async function spreadBundle(api: Api, bundlePem: string): Promise<void> {
  const caBundle = Buffer.from(bundlePem).toString('base64');
  await Promise.all([
    ...CONVERTED_DEFINITIONS.map(name => intoDefinition(api, name, caBundle)),
    intoAdmission(api, caBundle),
  ]);
}

async function intoDefinition(api: Api, name: string, caBundle: string): Promise<void> {
  const definition = await api.find(CustomResourceDefinition, { name });
  if (definition === undefined) return;
  const converter = converterOf(definition);
  if (converter.at !== OUR_ADDRESS || converter.caBundle === caBundle) return;
  const { resourceVersion } = definition.metadata;
  const conversion = { webhook: { clientConfig: { caBundle } } };
  await api.patch(CustomResourceDefinition, { name }, { metadata: { resourceVersion }, spec: { conversion } });
}

async function intoAdmission(api: Api, caBundle: string): Promise<void> {
  const key = { name: ADMISSION_CONFIGURATION };
  const configuration = await api.find(ValidatingWebhookConfiguration, key);
  const stale = (configuration?.webhooks ?? []).filter(webhook => isStale(webhook, caBundle));
  if (configuration === undefined || stale.length === 0) return;
  const webhooks = stale.map(webhook => ({ name: valueAt(webhook, 'name'), clientConfig: { caBundle } }));
  const { resourceVersion } = configuration.metadata;
  const body = { metadata: { resourceVersion }, webhooks };
  await api.patch(ValidatingWebhookConfiguration, key, body, { type: 'strategic' });
}

const isStale = (webhook: unknown, caBundle: string): boolean =>
  addressIn(valueAt(webhook, 'clientConfig')) === OUR_ADDRESS &&
  valueAt(webhook, 'clientConfig', 'caBundle') !== caBundle;
