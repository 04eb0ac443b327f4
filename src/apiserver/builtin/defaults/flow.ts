// Defaults of priority and fairness: how requests share what the server takes on.

import type { Draft } from '../json.ts';
import { draftAt, draftIn, fillAbsent } from './fill.ts';

export function defaultFlowSchema(schema: Draft): void {
  fillZero(draftIn(schema, 'spec'), 'matchingPrecedence', 1000);
}

export function defaultPriorityLevel(level: Draft): void {
  const spec = draftIn(level, 'spec');
  if (spec.type === 'Exempt') {
    const exempt = draftIn(spec, 'exempt');
    for (const key of ['nominalConcurrencyShares', 'lendablePercent']) fillAbsent(exempt, key, 0);
  }
  const limited = draftAt(spec, 'limited');
  if (limited === undefined) return;
  fillAbsent(limited, 'nominalConcurrencyShares', 30);
  fillAbsent(limited, 'lendablePercent', 0);
  const queuing = draftAt(draftAt(limited, 'limitResponse') ?? {}, 'queuing');
  if (queuing === undefined) return;
  for (const [key, value] of Object.entries({ queues: 64, handSize: 8, queueLengthLimit: 50 })) {
    fillZero(queuing, key, value);
  }
}

/** No queue, or none in a row, is as good as nothing said. */
function fillZero(draft: Draft, key: string, value: number): void {
  if (draft[key] === 0) draft[key] = value;
  fillAbsent(draft, key, value);
}
