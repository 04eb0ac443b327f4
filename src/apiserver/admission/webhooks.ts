// The webhooks that are configured now: read once per change of a configuration.

import type { JsonObject, Stored } from '../parts.ts';
import { isObject, listAt, numberAt, objectAt, stringAt } from '../rules/json.ts';
import { type Condition, conditionsIn } from './conditions.ts';
import { type MatchRules, matchRulesIn } from './rules.ts';
import { webhookClientIn } from './webhook-client.ts';
import type { WebhookClient } from './webhook-port.ts';

export interface Webhook {
  readonly name: string;
  readonly client: WebhookClient;
  readonly match: MatchRules;
  readonly conditions: readonly Condition[];
  readonly failurePolicy: 'Fail' | 'Ignore';
  readonly timeoutSeconds: number;
  readonly isReinvoked: boolean;
}

const DEFAULT_TIMEOUT_SECONDS = 10;

/** All webhooks of one kind of configuration, in the order in which they are asked: by configuration, then as listed. */
export function webhooksIn(stored: Stored, storage: string): readonly Webhook[] {
  return stored
    .list(storage)
    .flatMap(configuration => listAt(configuration, 'webhooks').filter(isObject).map(webhookOf));
}

function webhookOf(webhook: JsonObject): Webhook {
  return {
    name: stringAt(webhook, 'name'),
    client: webhookClientIn(objectAt(webhook, 'clientConfig')),
    match: matchRulesIn(webhook, listAt(webhook, 'rules')),
    conditions: conditionsIn(webhook),
    failurePolicy: webhook.failurePolicy === 'Ignore' ? 'Ignore' : 'Fail',
    timeoutSeconds: numberAt(webhook, 'timeoutSeconds') ?? DEFAULT_TIMEOUT_SECONDS,
    isReinvoked: webhook.reinvocationPolicy === 'IfNeeded',
  };
}
