// Shows that the endpoint converts for this API server before anything depends on it: a definition and an object of our own.

import { type Clock, seconds } from '../../base/clock.ts';
import { defineError, messageOf } from '../../base/errors.ts';
import type { Random } from '../../base/random.ts';
import type { Api } from '../../kube/api.ts';
import { CustomResourceDefinition } from '../../kube/core/other.ts';
import { apiVersionOf, kindOf } from '../../kube/kind.ts';
import type { KubeObject } from '../../kube/object.ts';
import { ENDPOINT_SERVICE } from '../metal-endpoint/names.ts';
import { TRIAL_PATH } from './trial-review.ts';

const trialFailed = defineError('PIPPIN_E_TAKEOVER_TRIAL', {
  retry: 'never',
  remedy:
    'Let `pippin manager --controllers=metal,ipam` run behind Service pippin-system/pippin-metal (deploy/metal-endpoint.yaml) and look at its log',
  says: (why: string) => `The API server does not convert through our endpoint: ${why}`,
});

interface Trial extends KubeObject {
  readonly spec?: { readonly asked?: string; readonly answered?: string };
}

const GROUP = 'takeover.pippin.dev';
const [Asked, Answered] = [trialKind('v1'), trialKind('v2')];
const NAME = 'trial';
const DEFINITION = `${Asked.plural}.${GROUP}`;

function trialKind(version: string) {
  return kindOf<Trial>(`${GROUP}/${version}`, 'ConversionTrial', 'conversiontrials', 'Cluster');
}

export interface TrialWorld {
  readonly api: Api;
  readonly clock: Clock;
  readonly random: Random;
}

/** Throws unless it was our endpoint that answered. What the trial made is gone again in either case. */
export async function tryConversion(world: TrialWorld, caBundle: string): Promise<void> {
  const { api } = world;
  await remove(api);
  await api.create(CustomResourceDefinition, definition(caBundle));
  const failure = await answerWithin(world).then(
    () => undefined,
    (error: unknown) => error,
  );
  await remove(api);
  if (failure !== undefined) throw trialFailed.causedBy(failure, messageOf(failure));
}

const WITHIN_MS = seconds(20);
const POLL_MS = 200;

/** A definition is served some moments after it was made; until then its objects are not found. */
async function answerWithin(world: TrialWorld): Promise<void> {
  const { clock } = world;
  const untilMs = clock.monotonic() + WITHIN_MS;
  for (;;) {
    try {
      return await answered(world);
    } catch (error) {
      if (clock.monotonic() >= untilMs) throw error;
      await clock.sleep(POLL_MS);
    }
  }
}

async function answered({ api, random }: TrialWorld): Promise<void> {
  const asked = random.uuid();
  const object: Trial = {
    apiVersion: apiVersionOf(Asked),
    kind: Asked.kind,
    metadata: { name: NAME },
    spec: { asked },
  };
  await api.patch(Asked, { name: NAME }, object, { type: 'apply', fieldManager: 'pippin', force: true });
  const { spec } = await api.get(Answered, { name: NAME });
  if (spec?.answered !== asked) throw new Error('somebody else answered');
}

async function remove(api: Api): Promise<void> {
  const left = await api.find(CustomResourceDefinition, { name: DEFINITION });
  if (left === undefined) return;
  await api.delete(CustomResourceDefinition, { name: DEFINITION }).catch((error: unknown) => {
    throw trialFailed.causedBy(error, `the definition of an earlier trial cannot be removed: ${messageOf(error)}`);
  });
}

function definition(caBundle: string): CustomResourceDefinition {
  const text = { type: 'string' };
  const spec = { type: 'object', properties: { asked: text, answered: text } };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
  return {
    apiVersion: apiVersionOf(CustomResourceDefinition),
    kind: CustomResourceDefinition.kind,
    metadata: { name: DEFINITION },
    spec: {
      group: GROUP,
      scope: 'Cluster',
      names: { kind: Asked.kind, plural: Asked.plural, singular: 'conversiontrial', listKind: 'ConversionTrialList' },
      versions: [
        { name: 'v1', served: true, storage: true, schema },
        { name: 'v2', served: true, storage: false, schema },
      ],
      conversion: {
        strategy: 'Webhook',
        webhook: {
          conversionReviewVersions: ['v1'],
          clientConfig: { service: { ...ENDPOINT_SERVICE, path: TRIAL_PATH }, caBundle },
        },
      },
    },
  };
}
