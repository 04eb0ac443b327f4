// What the conversion of a definition must be: none, or a webhook that can be asked.

import { clientErrors, reviewVersionErrors } from '../builtin/validation/webhooks.ts';
import type { FieldError, JsonObject } from '../parts.ts';
import { isObject, listAt, objectAt, stringAt } from '../rules/json.ts';
import { forbidden, notSupported, required } from '../schema/field-errors.ts';

const PATH = 'spec.conversion';
const CLIENT = `${PATH}.webhookClientConfig`;
const VERSIONS = `${PATH}.conversionReviewVersions`;
const STRATEGIES = ['None', 'Webhook'];

export function conversionErrors(conversion: JsonObject): readonly FieldError[] {
  const strategy = stringAt(conversion, 'strategy');
  const webhook = objectAt(conversion, 'webhook');
  const known = STRATEGIES.includes(strategy) ? [] : [notSupported(`${PATH}.strategy`, strategy, STRATEGIES)];
  return [...known, ...(strategy === 'Webhook' ? webhookErrors(webhook) : uncalledErrors(webhook))];
}

function webhookErrors(webhook: JsonObject): readonly FieldError[] {
  const { clientConfig } = webhook;
  const versions = listAt(webhook, 'conversionReviewVersions');
  return [
    ...(isObject(clientConfig)
      ? clientErrors(CLIENT, clientConfig)
      : [required(CLIENT, 'required when strategy is set to Webhook')]),
    ...(versions.length === 0 ? [required(VERSIONS)] : reviewVersionErrors(VERSIONS, versions)),
  ];
}

function uncalledErrors(webhook: JsonObject): readonly FieldError[] {
  const why = 'should not be set when strategy is not set to Webhook';
  return [
    ...(isObject(webhook.clientConfig) ? [forbidden(CLIENT, why)] : []),
    ...(listAt(webhook, 'conversionReviewVersions').length > 0 ? [forbidden(VERSIONS, why)] : []),
  ];
}
