// The plan of a takeover: its steps in their order, what each would change, and a digest that stands for exactly that.

import { createHash } from 'node:crypto';
import { resourceName } from '../../kube/kind.ts';
import { converterOf } from '../metal-endpoint/converters.ts';
import type { FoundDefinition } from './definitions-found.ts';
import type { Facts } from './facts.ts';
import type { FoundWebhooks } from './webhooks-found.ts';

/**
 * In this order, so that a stop between any two leaves one converter at work: the endpoint is tried before a definition
 * names it; upstream's webhooks go before an object is written; versions are forgotten last.
 */
export const STEPS = ['trial', 'definitions', 'admission', 'webhooks', 'objects'] as const;
export type StepName = (typeof STEPS)[number];

export interface PlannedStep {
  readonly name: StepName;
  readonly says: string;
  /** One line for each thing that changes; for the digest too. */
  readonly changes: readonly string[];
}

export interface Plan {
  readonly cluster: string;
  readonly steps: readonly PlannedStep[];
  /** Undefined: there is nothing to do. */
  readonly digest: string | undefined;
}

export function planOf(facts: Facts): Plan {
  const { cluster, definitions, webhooks } = facts;
  const replaced = definitions.filter(({ standing }) => standing !== 'ours');
  const rewritten = definitions.filter(isRewritten);
  if (replaced.length === 0 && webhooks.length === 0 && rewritten.length === 0) {
    return { cluster, steps: [], digest: undefined };
  }
  const steps: readonly PlannedStep[] = [
    { name: 'trial', says: 'the API server converts a trial object through our endpoint', changes: [] },
    { name: 'definitions', says: 'definitions become ours', changes: replaced.map(replacementText) },
    { name: 'admission', says: 'our policies and our webhook are installed', changes: [] },
    { name: 'webhooks', says: "upstream's webhooks are removed", changes: webhooks.map(removalText) },
    {
      name: 'objects',
      says: 'objects are stored in the newest version, then the older one is forgotten (it stays served)',
      changes: rewritten.map(rewritingText),
    },
  ];
  return { cluster, steps, digest: digestOf(cluster, steps, [replaced.map(specsOf), webhooks.map(judgedBy)]) };
}

/** What would be lost and what would come: a field or a rule that was added since the plan is no part of it. */
const specsOf = ({ now, ours }: FoundDefinition): unknown => [now?.spec, ours.spec];

const judgedBy = ({ configuration }: FoundWebhooks): unknown => configuration.webhooks;

/** Those that will store in another version once they are ours count too. */
export const isRewritten = ({ now, ours, olderStored }: FoundDefinition): boolean =>
  olderStored.length > 0 && now !== undefined && converterOf(ours).at !== undefined;

function replacementText({ now, ours }: FoundDefinition): string {
  const { name } = ours.metadata;
  if (now === undefined) return `${name}: made, there is none`;
  const by = converterOf(now).at;
  return `${name} (${now.metadata.uid}): replaced, ${by === undefined ? 'it converts nothing' : `${by} converts it`}`;
}

const removalText = ({ kind, configuration: { metadata }, judging }: FoundWebhooks): string =>
  `${resourceName(kind)}/${metadata.name} (${metadata.uid}): ${judging.join(', ')}`;

const rewritingText = ({ ours, olderStored }: FoundDefinition): string =>
  `${ours.metadata.name}: some may be stored as ${olderStored.join(', ')}`;

const digestOf = (cluster: string, steps: readonly PlannedStep[], contents: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify([cluster, steps, contents]))
    .digest('hex')
    .slice(0, 32);

/** What `pippin metal takeover` prints. */
export function planText(facts: Facts, { cluster, steps, digest }: Plan): string {
  const head = [`Cluster ${cluster}, ${facts.core}, moving over: ${facts.halves.join(', ')}`];
  if (digest === undefined) return [...head, 'Nothing is left to do: all of it is ours.', ''].join('\n');
  const lines = steps.flatMap(({ name, says, changes }, at) => [
    `${at + 1}. ${name}: ${says}`,
    ...changes.map(change => `     ${change}`),
  ]);
  const foot = ['Nothing was changed. To do exactly this:', `  pippin metal takeover --apply ${digest}`, ''];
  return [...head, ...lines, ...foot].join('\n');
}
