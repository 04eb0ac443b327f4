// Conversations over SPDY: a stream for each of error, stdin, stdout, stderr and resize, opened by the client.

import type { Duplex } from 'node:stream';
import { Inbox } from './channels.ts';
import { type Conversation, sizeOf } from './session.ts';
import { SpdySession, type SpdyStream } from './spdy-session.ts';

export const SPDY_PROTOCOL = 'v4.channel.k8s.io';

/** Resolves once the client has opened as many streams as it asked for. */
export function spdyConversation(pipe: Duplex, wanted: readonly string[]): Promise<Conversation> {
  const streams = new Map<string, SpdyStream>();
  return new Promise(resolve => {
    const session = new SpdySession(pipe, 'server', stream => {
      streams.set(stream.headers.streamtype ?? '', stream);
      if (wanted.every(type => streams.has(type))) resolve(over(streams, session));
    });
  });
}

function over(streams: ReadonlyMap<string, SpdyStream>, session: SpdySession): Conversation {
  const input = new Inbox<Uint8Array | undefined>();
  const sizes = new Inbox<Uint8Array>();
  streams.get('stdin')?.listen(bytes => input.put(bytes));
  streams.get('resize')?.listen(bytes => (bytes === undefined ? undefined : sizes.put(bytes)));
  return {
    write: (stream, bytes) => streams.get(stream)?.write(bytes),
    end: status => {
      streams.get('error')?.write(Buffer.from(JSON.stringify(status)));
      for (const stream of streams.values()) stream.end();
      session.close();
    },
    onInput: listener => input.listen(listener),
    onResize: listener => sizes.listen(bytes => listener(sizeOf(bytes))),
  };
}
