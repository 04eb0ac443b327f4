// Definitions that name a converter: what is filled in, and what is refused.

import type { Case } from '../frame/case.ts';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

export const conversionObjects: readonly Case[] = [
  {
    says: 'a conversion by webhook needs a client, versions of its review and a known strategy',
    steps: async t => {
      const group = `${t.ns}.example.com`;
      const openAPIV3Schema = { type: 'object' };
      const names = { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' };
      const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }];
      const clientConfig = { service: { namespace: 'n', name: 's' } };
      const url = 'https://example.com/x';
      const conversions: readonly Record<string, unknown>[] = [
        { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v1', 'v9'] } },
        { strategy: 'Webhook' },
        { strategy: 'Webhook', webhook: { clientConfig: {}, conversionReviewVersions: ['v1'] } },
        { strategy: 'Webhook', webhook: { clientConfig: { url, ...clientConfig }, conversionReviewVersions: ['v1'] } },
        { strategy: 'Webhook', webhook: { clientConfig: { url: 'http://x' }, conversionReviewVersions: ['v1'] } },
        { strategy: 'Webhook', webhook: { clientConfig } },
        { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v9'] } },
        { strategy: 'None', webhook: { clientConfig, conversionReviewVersions: ['v1'] } },
        { strategy: 'Magic' },
      ];
      for (const conversion of conversions) {
        const spec = { group, names, scope: 'Namespaced', versions, conversion };
        const told = await t.quietly({
          method: 'POST',
          path: `${DEFINITIONS}?dryRun=All`,
          body: { metadata: { name: `things.${group}` }, spec },
        });
        t.note('told', [told.status, told.json.spec?.conversion ?? told.json.message]);
      }
    },
  },
];
