// What a delete writes on an object that does not go at once: when it ends, and what still holds it.

import { kubeTime, millisOf, seconds } from '../../base/clock.ts';
import type { Call } from '../core.ts';
import { strategyOf } from '../objects/strategy.ts';
import type { JsonObject } from '../parts.ts';
import { objectAt, stringAt, stringsAt, withMeta } from '../rules/json.ts';
import type { DeleteOptions } from './delete-options.ts';
import { propagationFinalizers } from './propagation.ts';

/** The object as this delete marks it; undefined when it is already deleting and nothing changes. */
export function marked(call: Call, object: JsonObject, options: DeleteOptions): JsonObject | undefined {
  const metadata = objectAt(object, 'metadata');
  if (metadata.deletionTimestamp === undefined) return firstMarked(call, object, options);
  const before = metadata.deletionGracePeriodSeconds;
  if (typeof before === 'number' && before > 0) return shortened(object, before, options);
  const strategy = strategyOf(call.resource);
  // Deleted by a step of its own, and not yet through it: nothing to add.
  if (strategy.markDeleting !== undefined && (strategy.isHeld?.(object) ?? true)) return undefined;
  return withMeta(object, { deletionGracePeriodSeconds: 0, finalizers: finalizersAfter(call, metadata, options) });
}

function firstMarked(call: Call, object: JsonObject, options: DeleteOptions): JsonObject {
  const metadata = objectAt(object, 'metadata');
  const strategy = strategyOf(call.resource);
  const graceSeconds = strategy.graceSeconds?.(object, options.graceSeconds) ?? 0;
  const { generation } = metadata;
  const next = withMeta(object, {
    deletionTimestamp: kubeTime(call.core.clock.now() + seconds(graceSeconds)),
    deletionGracePeriodSeconds: graceSeconds,
    finalizers: finalizersAfter(call, metadata, options),
    generation: typeof generation === 'number' ? generation + 1 : undefined,
  });
  return strategy.markDeleting?.(next, object, call) ?? next;
}

function finalizersAfter(
  { resource }: Call,
  metadata: JsonObject,
  options: DeleteOptions,
): readonly string[] | undefined {
  const finalizers = propagationFinalizers(resource, stringsAt(metadata, 'finalizers'), options);
  return finalizers.length === 0 ? undefined : finalizers;
}

/** A later delete can only shorten the time that the first one gave. */
function shortened(object: JsonObject, before: number, { graceSeconds }: DeleteOptions): JsonObject | undefined {
  if (graceSeconds === undefined || graceSeconds >= before) return undefined;
  const began = millisOf(stringAt(objectAt(object, 'metadata'), 'deletionTimestamp')) - seconds(before);
  return withMeta(object, {
    deletionTimestamp: kubeTime(began + seconds(graceSeconds)),
    deletionGracePeriodSeconds: graceSeconds,
  });
}
