// Priority: a Pod has the priority of its class, and cannot say another.

import type { Admission, JsonObject, Stored } from '../../parts.ts';
import { numberAt, objectAt, textAt } from '../json.ts';
import { kept, onNewPods, type PluginWorld, refused, withSpec } from './new-pod.ts';

const CLASSES = 'priorityclasses.scheduling.k8s.io';
const PREEMPTS = 'PreemptLowerPriority';

interface Priority {
  readonly name: string;
  readonly value: number;
  readonly preemption: string;
}

/** Runs before whatever fills in a number: a client may not. */
export function priorities({ stored }: PluginWorld): Admission {
  const ofNoClass = defaultOf(stored);
  return onNewPods((pod, call) => {
    const spec = objectAt(pod, 'spec');
    const name = textAt(spec, 'priorityClassName');
    const priority = name === '' ? ofNoClass() : named(stored, name);
    if (priority === undefined) return refused(call, `no PriorityClass with name ${name} was found`);
    const [value, preemption] = [numberAt(spec, 'priority'), textAt(spec, 'preemptionPolicy')];
    const computed = (what: string, mine: unknown): string =>
      `the ${what} must not be provided in pod spec; priority admission controller computed ${String(mine)} from the given PriorityClass name`;
    if (value !== undefined && value !== priority.value) {
      return refused(call, computed(`integer value of priority (${value})`, priority.value));
    }
    if (preemption !== '' && preemption !== priority.preemption) {
      return refused(call, computed(`string value of PreemptionPolicy (${preemption})`, priority.preemption));
    }
    const className = priority.name === '' ? {} : { priorityClassName: priority.name };
    return kept(withSpec(pod, { ...className, priority: priority.value, preemptionPolicy: priority.preemption }));
  });
}

function named(stored: Stored, name: string): Priority | undefined {
  const found = stored.get(CLASSES, '', name);
  return found === undefined ? undefined : priorityOf(found);
}

/** Looked up again when a class has changed: most Pods name none. */
function defaultOf(stored: Stored): () => Priority {
  let known: { readonly revision: number; readonly priority: Priority } | undefined;
  return () => {
    const revision = stored.revision?.(CLASSES);
    if (revision === undefined) return byDefault(stored);
    if (known?.revision !== revision) known = { revision, priority: byDefault(stored) };
    return known.priority;
  };
}

function byDefault(stored: Stored): Priority {
  const defaults = stored.list(CLASSES).filter(each => each.globalDefault === true);
  const [lowest] = defaults.map(priorityOf).sort((a, b) => a.value - b.value);
  return lowest ?? { name: '', value: 0, preemption: PREEMPTS };
}

const priorityOf = (priorityClass: JsonObject): Priority => ({
  name: textAt(objectAt(priorityClass, 'metadata'), 'name'),
  value: numberAt(priorityClass, 'value') ?? 0,
  preemption: textAt(priorityClass, 'preemptionPolicy') || PREEMPTS,
});
