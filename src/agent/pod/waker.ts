// Lets work that goes on beside the passes put a Pod back into the queue when it has ended.

import type { ObjectKey } from '../../kube/object.ts';

export interface Waker {
  wake(key: ObjectKey): void;
  /** Where woken keys go: the queue of the Pod controller. */
  listen(queue: (key: ObjectKey) => void): void;
}

export function waker(): Waker {
  let queue: (key: ObjectKey) => void = () => undefined;
  return {
    wake: key => queue(key),
    listen: next => {
      queue = next;
    },
  };
}
