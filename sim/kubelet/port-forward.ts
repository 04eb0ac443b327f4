// Port-forwarding as a kubelet serves it: pairs of SPDY streams (also inside a WebSocket), or channels of a WebSocket.

import type { Duplex } from 'node:stream';
import type { RawData, WebSocket } from 'ws';
import { bytesOf, message } from './channels.ts';
import { connect, type Listener, refusedText } from './ports.ts';
import { SpdySession, type SpdyStream } from './spdy-session.ts';

/** The protocol of the SPDY streams. */
export const FORWARD_PROTOCOL = 'portforward.k8s.io';
/** The same, inside a WebSocket. */
export const TUNNEL_PROTOCOL = `SPDY/3.1+${FORWARD_PROTOCOL}`;

/** One error and one data stream with the same request id are one connection. */
export function forwardStreams(pipe: Duplex, pod: string): void {
  const errors = new Map<string, SpdyStream>();
  new SpdySession(pipe, 'server', stream => {
    const { streamtype, port, requestid = '' } = stream.headers;
    if (streamtype === 'error') errors.set(requestid, stream);
    if (streamtype === 'data') forward({ data: stream, error: errors.get(requestid) }, Number(port), pod);
  });
}

function forward(
  pair: { readonly data: SpdyStream; readonly error: SpdyStream | undefined },
  port: number,
  pod: string,
): void {
  const { data, error } = pair;
  const end = (): void => {
    data.end();
    error?.end();
  };
  const listener = connect(port, { write: bytes => data.write(bytes), end });
  if (listener === undefined) {
    error?.write(Buffer.from(refusedText(port, pod)));
    end();
    return;
  }
  data.listen(bytes => listener.receive(bytes));
}

/** The older way: two channels a port, data and errors, each beginning with the port's number. */
export function forwardChannels(socket: WebSocket, ports: readonly number[], pod: string): void {
  const listeners = ports.map((port, at): Listener | undefined => {
    const [data, error] = [at * 2, at * 2 + 1];
    const number = Buffer.from([port & 0xff, port >> 8]);
    socket.send(message(data, number));
    socket.send(message(error, number));
    const client = { write: (bytes: Uint8Array) => socket.send(message(data, bytes)), end: () => socket.close(1000) };
    const listener = connect(port, client);
    if (listener === undefined) socket.send(message(error, Buffer.from(refusedText(port, pod))));
    return listener;
  });
  socket.on('message', (raw: RawData) => {
    const bytes = bytesOf(raw);
    listeners[(bytes.at(0) ?? 0) / 2]?.receive(bytes.subarray(1));
  });
}
