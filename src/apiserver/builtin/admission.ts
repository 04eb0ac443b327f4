// What the real server's default admission plugins fill in: a Pod's account, priority and patience, a new Node's taint.

import type { Admission, Json, JsonObject } from '../parts.ts';
import { isObject, listAt, numberAt, objectAt, objectsAt, textAt } from './json.ts';

const NOT_READY = 'node.kubernetes.io/not-ready';
const UNREACHABLE = 'node.kubernetes.io/unreachable';

/** How long a Pod stays on a Node that is away, in seconds. */
export interface Patience {
  readonly notReady: number;
  readonly unreachable: number;
}

const USUAL_PATIENCE: Patience = { notReady: 300, unreachable: 300 };

/** By the real server's name of the plugin that it belongs to. */
interface Parts {
  readonly ServiceAccount: boolean;
  readonly Priority: boolean;
  readonly DefaultTolerationSeconds: boolean;
  readonly TaintNodesByCondition: boolean;
}

interface Settings extends Parts {
  readonly patience: Patience;
}

/** Runs before every other admission: what it fills in, the others see. */
export function defaultAdmissionWith(
  isOn: (plugin: keyof Parts) => boolean,
  patience: Patience = USUAL_PATIENCE,
): Admission {
  const parts: Settings = {
    patience,
    ServiceAccount: isOn('ServiceAccount'),
    Priority: isOn('Priority'),
    DefaultTolerationSeconds: isOn('DefaultTolerationSeconds'),
    TaintNodesByCondition: isOn('TaintNodesByCondition'),
  };
  return ({ attributes, resource, object, old }) => {
    if (object === undefined || attributes.subresource !== '') return kept(object);
    if (resource.storageName === 'pods') return kept(admitPod(object, old, parts));
    const isNewNode = resource.storageName === 'nodes' && old === undefined;
    return kept(isNewNode && parts.TaintNodesByCondition ? admitNode(object) : object);
  };
}

export const defaultAdmission: Admission = defaultAdmissionWith(() => true);

const kept = (object: JsonObject | undefined): ReturnType<Admission> => ({ object, warnings: [] });

function admitPod(pod: JsonObject, old: JsonObject | undefined, parts: Settings): JsonObject {
  const spec = objectAt(pod, 'spec');
  const account = textAt(spec, 'serviceAccountName') || 'default';
  // A mirror shows what a kubelet runs by itself: it speaks with nobody.
  const isMirror = textAt(objectAt(objectAt(pod, 'metadata'), 'annotations'), 'kubernetes.io/config.mirror') !== '';
  const namesAccount = parts.ServiceAccount && old === undefined && !isMirror;
  return {
    ...pod,
    spec: {
      ...spec,
      ...(namesAccount ? { serviceAccountName: account, serviceAccount: account } : {}),
      ...(parts.Priority ? priorityIn(spec) : {}),
      ...(parts.DefaultTolerationSeconds ? { tolerations: patient(listAt(spec, 'tolerations'), parts.patience) } : {}),
    },
  };
}

const priorityIn = (spec: JsonObject): JsonObject => ({
  priority: numberAt(spec, 'priority') ?? 0,
  preemptionPolicy: textAt(spec, 'preemptionPolicy') || 'PreemptLowerPriority',
});

/** With patience for a Node that is away, unless the Pod says otherwise. */
function patient(tolerations: readonly Json[], { notReady, unreachable }: Patience): readonly Json[] {
  const waits = [
    [NOT_READY, notReady],
    [UNREACHABLE, unreachable],
  ] as const;
  const missing = waits.filter(([key]) => !tolerations.some(toleration => tolerates(toleration, key)));
  const added = missing.map(([key, tolerationSeconds]) => ({
    key,
    operator: 'Exists',
    effect: 'NoExecute',
    tolerationSeconds,
  }));
  return [...tolerations, ...added];
}

function tolerates(toleration: Json, key: string): boolean {
  if (!isObject(toleration)) return false;
  const [own, effect] = [textAt(toleration, 'key'), textAt(toleration, 'effect')];
  return (own === key || own === '') && (effect === 'NoExecute' || effect === '');
}

/** Nothing is scheduled on a new Node until somebody has seen it ready. */
function admitNode(node: JsonObject): JsonObject {
  const spec = objectAt(node, 'spec');
  const isTainted = objectsAt(spec, 'taints').some(taint => taint.key === NOT_READY && taint.effect === 'NoSchedule');
  if (isTainted) return node;
  return { ...node, spec: { ...spec, taints: [...listAt(spec, 'taints'), { key: NOT_READY, effect: 'NoSchedule' }] } };
}
