// Watches of one resource that are behind for as long as a test wants them to be, as those of a busy API are.

import type { Transport } from './transport.ts';

export interface HeldWatch {
  /** Goes between the controllers and the API. */
  readonly between: (api: Transport) => Transport;
  /** From now on no event of the resource arrives. */
  close(): void;
  /** What was held arrives. */
  open(): void;
}

/** Open until it is closed. */
export function heldWatch(plural: string): HeldWatch {
  let gate = Promise.withResolvers<void>();
  gate.resolve();
  return {
    close: () => {
      gate = Promise.withResolvers<void>();
    },
    open: () => gate.resolve(),
    between: api => async request => {
      const answer = await api(request);
      const { stream } = answer;
      if (stream === undefined || !request.path.endsWith(`/${plural}`)) return answer;
      const late = async () => {
        const event = await stream.next();
        await gate.promise;
        return event;
      };
      return { ...answer, stream: { next: late, close: reason => stream.close(reason) } };
    },
  };
}
