// What priority levels must be: how much of the server they have, lend and borrow, and who waits where.

import type { JsonObject } from '../../parts.ts';
import { forbidden, invalid, notSupported, required } from '../../schema/field-errors.ts';
import { countAt } from '../counts.ts';
import { isObject, numberAt, objectAt, textAt } from '../json.ts';
import { NONE } from './fields.ts';
import { flowStatusErrors } from './flow.ts';
import type { Errors } from './texts.ts';

const TYPES = ['Exempt', 'Limited'];
const ANSWERS = ['Queue', 'Reject'];
const MAX_QUEUES = 10_000_000;
/** Of the hash that deals a hand of queues to each flow. */
const MAX_ENTROPY_BITS = 60;
const WHOLE = 'must be a non-negative integer';

export function priorityLevelErrors(level: JsonObject, _old: JsonObject | undefined, part: string): Errors {
  if (part === 'status') return flowStatusErrors(level);
  const spec = objectAt(level, 'spec');
  const type = textAt(spec, 'type');
  return [
    ...exemptionErrors(textAt(objectAt(level, 'metadata'), 'name'), type),
    ...(TYPES.includes(type) ? NONE : [notSupported('spec.type', type, TYPES)]),
    ...(type === 'Limited' ? limitedErrors(spec) : NONE),
    ...(type === 'Exempt' ? unlimitedErrors(spec) : NONE),
  ];
}

/** There is one exempt level, and it is called so. */
function exemptionErrors(name: string, type: string): Errors {
  if ((name === 'exempt') === (type === 'Exempt')) return NONE;
  return [invalid('spec.type', type, "must be 'Exempt' if and only if `name` is 'exempt'")];
}

function unlimitedErrors({ limited, exempt }: JsonObject): Errors {
  return [
    ...(isObject(exempt)
      ? [...shareErrors('spec.exempt', exempt, WHOLE), ...lendingErrors('spec.exempt', exempt)]
      : NONE),
    ...(limited === undefined ? NONE : [forbidden('spec.limited', 'must be nil if the type is not Limited')]),
  ];
}

function limitedErrors({ limited, exempt }: JsonObject): Errors {
  const path = 'spec.limited';
  const unwanted = exempt === undefined ? NONE : [forbidden('spec.exempt', 'must be nil if the type is Limited')];
  if (!isObject(limited)) return [...unwanted, required(path, 'must not be empty when type is Limited')];
  const borrowed = numberAt(limited, 'borrowingLimitPercent') ?? 0;
  return [
    ...unwanted,
    ...shareErrors(path, limited, WHOLE),
    ...answerErrors(`${path}.limitResponse`, objectAt(limited, 'limitResponse')),
    ...lendingErrors(path, limited),
    ...(borrowed < 0 ? [invalid(`${path}.borrowingLimitPercent`, borrowed, `if specified, ${WHOLE}`)] : NONE),
  ];
}

function shareErrors(path: string, level: JsonObject, why: string): Errors {
  const shares = countAt(level, 'nominalConcurrencyShares');
  return shares < 0 ? [invalid(`${path}.nominalConcurrencyShares`, shares, why)] : NONE;
}

function lendingErrors(path: string, level: JsonObject): Errors {
  const lent = countAt(level, 'lendablePercent');
  const isShare = lent >= 0 && lent <= 100;
  return isShare ? NONE : [invalid(`${path}.lendablePercent`, lent, 'must be between 0 and 100, inclusive')];
}

function answerErrors(path: string, answer: JsonObject): Errors {
  const [type, { queuing }] = [textAt(answer, 'type'), answer];
  const unwanted = 'must be nil if limited.limitResponse.type is not Limited';
  const needed = 'must not be empty if limited.limitResponse.type is Limited';
  if (!ANSWERS.includes(type)) return [notSupported(`${path}.type`, type, ANSWERS)];
  if (type === 'Reject') return queuing === undefined ? NONE : [forbidden(`${path}.queuing`, unwanted)];
  return isObject(queuing) ? queuingErrors(`${path}.queuing`, queuing) : [required(`${path}.queuing`, needed)];
}

function queuingErrors(path: string, queuing: JsonObject): Errors {
  const [queues, hand, length] = ['queues', 'handSize', 'queueLengthLimit'].map(key => countAt(queuing, key));
  const positive = 'must be positive';
  return [
    ...((length ?? 0) <= 0 ? [invalid(`${path}.queueLengthLimit`, length ?? 0, positive)] : NONE),
    ...((queues ?? 0) <= 0 ? [invalid(`${path}.queues`, queues ?? 0, positive)] : NONE),
    ...((queues ?? 0) > MAX_QUEUES
      ? [invalid(`${path}.queues`, queues ?? 0, `must not be greater than ${MAX_QUEUES}`)]
      : NONE),
    ...handErrors(`${path}.handSize`, hand ?? 0, queues ?? 0),
  ];
}

function handErrors(path: string, hand: number, queues: number): Errors {
  if (hand <= 0) return [invalid(path, hand, 'must be positive')];
  if (hand > queues) return [invalid(path, hand, `should not be greater than queues (${queues})`)];
  if (Math.ceil(Math.log2(queues) * hand) <= MAX_ENTROPY_BITS) return NONE;
  const needed = `required entropy bits of deckSize ${queues} and handSize ${hand}`;
  return [invalid(path, hand, `${needed} should not be greater than ${MAX_ENTROPY_BITS}`)];
}
