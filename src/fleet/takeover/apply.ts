// Does a takeover step by step. Each step looks at what is there and can be done again: whoever stops between two goes on later.

import { seconds } from '../../base/clock.ts';
import { defineError } from '../../base/errors.ts';
import type { Api } from '../../kube/api.ts';
import { CustomResourceDefinition } from '../../kube/core/other.ts';
import { isEstablished } from '../definitions.ts';
import { installManifests } from '../manifests.ts';
import { spreadBundle } from '../metal-endpoint/bundles.ts';
import { converterOf } from '../metal-endpoint/converters.ts';
import { type FoundDefinition, foundDefinitions, injectorsOf } from './definitions-found.ts';
import { isRewritten, STEPS, type StepName } from './plan.ts';
import type { ReadyFacts } from './ready.ts';
import { rewriteStored } from './stored-objects.ts';
import { type TrialWorld, tryConversion } from './trial.ts';
import { removeWebhooks } from './webhooks-found.ts';

const notServed = defineError('PIPPIN_E_TAKEOVER_NOT_SERVED', {
  retry: 'never',
  remedy: 'Look at its conditions with kubectl describe crd, then run the takeover again',
  says: (name: string) => `The API server does not serve ${name} 30 s after it became ours`,
});

interface Doing {
  readonly world: TrialWorld;
  readonly facts: ReadyFacts;
}

const DO: Readonly<Record<StepName, (doing: Doing) => Promise<void>>> = {
  trial: ({ world, facts }) => tryConversion(world, encoded(facts.bundle)),
  definitions: replaceDefinitions,
  admission: async ({ world: { api }, facts }) => {
    await installManifests(api, ['metalPolicies', 'metalWebhooks']);
    await spreadBundle(api, facts.bundle);
  },
  webhooks: async ({ world: { api }, facts }) => {
    for (const each of facts.webhooks) await removeWebhooks(api, each);
  },
  objects: async ({ world: { api }, facts }) => {
    // The definitions as they are now: they store in another version than when the plan was made.
    for (const each of await foundDefinitions(api, facts.halves)) {
      if (isRewritten(each) && each.now !== undefined) await rewriteStored(api, each.now);
    }
  },
};

export async function applyTakeover(world: TrialWorld, facts: ReadyFacts, say: (line: string) => void): Promise<void> {
  for (const step of STEPS) {
    await DO[step]({ world, facts });
    say(`done: ${step}`);
  }
}

const encoded = (pem: string): string => Buffer.from(pem).toString('base64');

async function replaceDefinitions({ world, facts }: Doing): Promise<void> {
  const caBundle = encoded(facts.bundle);
  for (const each of facts.definitions) {
    if (each.standing !== 'ours') await replace(world.api, each, caBundle);
  }
  for (const { ours } of facts.definitions) await untilServed(world, ours.metadata.name);
}

/** In one write: there is no moment in which the definition names our endpoint and does not trust it. */
async function replace(api: Api, { now, ours }: FoundDefinition, caBundle: string): Promise<void> {
  const wanted = { ...ours, spec: converterOf(ours).at === undefined ? ours.spec : trusting(ours.spec, caBundle) };
  if (now === undefined) {
    await api.create(CustomResourceDefinition, wanted);
    return;
  }
  const injectors = new Set(injectorsOf(now));
  const kept = Object.entries(now.metadata.annotations ?? {}).filter(([name]) => !injectors.has(name));
  await api.update(CustomResourceDefinition, {
    ...wanted,
    metadata: {
      ...now.metadata,
      labels: { ...now.metadata.labels, ...ours.metadata.labels },
      annotations: { ...Object.fromEntries(kept), ...ours.metadata.annotations },
    },
  });
}

interface ConvertedSpec {
  readonly conversion: { readonly webhook: { readonly clientConfig: object } };
}

function trusting(spec: unknown, caBundle: string): unknown {
  const { conversion } = spec as ConvertedSpec;
  const { webhook } = conversion;
  const clientConfig = { ...webhook.clientConfig, caBundle };
  return { ...(spec as ConvertedSpec), conversion: { ...conversion, webhook: { ...webhook, clientConfig } } };
}

const SERVED_WITHIN_MS = seconds(30);
const POLL_MS = 100;

async function untilServed({ api, clock }: TrialWorld, name: string): Promise<void> {
  const untilMs = clock.monotonic() + SERVED_WITHIN_MS;
  while (!(await isEstablished(api, name))) {
    if (clock.monotonic() >= untilMs) throw notServed(name);
    await clock.sleep(POLL_MS);
  }
}
