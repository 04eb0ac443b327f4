// Validating webhooks: all at once, on the object as it is to be stored; the first refusal counts.

import type { Resource } from '../parts.ts';
import { ask, askedAs } from './asking.ts';
import type { AdmissionRequest } from './request.ts';
import type { Webhook } from './webhooks.ts';

export async function validatedByWebhooks(request: AdmissionRequest, webhooks: readonly Webhook[]): Promise<void> {
  const matching = webhooks.flatMap((webhook): readonly (readonly [Webhook, Resource])[] => {
    const matched = askedAs(webhook, request);
    return matched === undefined ? [] : [[webhook, matched]];
  });
  const answers = await Promise.allSettled(
    matching.map(([webhook, matched]) => ask(webhook, request, matched, 'validating')),
  );
  for (const answer of answers) if (answer.status === 'rejected') throw answer.reason;
}
