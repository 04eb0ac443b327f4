// A server that takes watches and never tells of an event: for runs in which timers alone have to do.

import type { EventStream, Transport } from './transport.ts';

/** A watch that was accepted and then says nothing. */
function mute(): EventStream {
  let end: () => void = () => undefined;
  const ended = new Promise<undefined>(resolve => {
    end = () => resolve(undefined);
  });
  return { next: () => ended, close: () => end() };
}

export const withoutEvents =
  (next: Transport): Transport =>
  async request =>
    new URLSearchParams(request.query).has('watch')
      ? { status: 200, headers: {}, body: new Uint8Array(), stream: mute() }
      : next(request);
