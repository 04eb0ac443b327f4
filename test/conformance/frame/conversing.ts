// Conversations of a case with a container: over a WebSocket or SPDY, recorded channel by channel when they are over.

import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Agent, request as secureRequest } from 'node:https';
import type { Duplex } from 'node:stream';
import { createWebSocketStream, type RawData, WebSocket } from 'ws';
import { SpdySession } from '../../../sim/kubelet/spdy-session.ts';
import { shownAnswer } from './shown.ts';
import type { Trial } from './trial.ts';
import { headersOf, type Impersonated } from './wire.ts';

const DEADLINE_MS = 20_000;

export interface Talk {
  /** Subprotocols of the WebSocket, in order of preference. */
  readonly protocols?: readonly string[];
  /** Messages that are sent once the connection stands: `[channel, text]`. */
  readonly send?: readonly (readonly [number, string | Uint8Array])[];
  readonly as?: Impersonated;
  readonly headers?: Readonly<Record<string, string>>;
}

const V5 = ['v5.channel.k8s.io'];

/** Connects with a WebSocket and records what each channel said until the server hung up. */
export async function byWebSocket(t: Trial, path: string, talk: Talk = {}): Promise<void> {
  const asked = t.mask.text(`WEBSOCKET ${path}`);
  const socket = opened(t, path, talk);
  const refused = await refusalOf(socket);
  if (refused !== undefined) {
    await recordRefusal(t, asked, refused);
    return;
  }
  const channels = new Map<number, string>();
  socket.on('message', (data: RawData) => {
    const bytes = data as Buffer;
    const channel = bytes.at(0) ?? -1;
    channels.set(channel, (channels.get(channel) ?? '') + bytes.toString('latin1', 1));
  });
  for (const [channel, text] of talk.send ?? []) {
    socket.send(Buffer.concat([Buffer.from([channel]), Buffer.from(text)]));
  }
  const [code] = await closed(socket);
  t.shown.push([asked, 101, { protocol: socket.protocol }]);
  for (const [channel, text] of [...channels].sort(([a], [b]) => a - b)) {
    t.shown.push([`channel ${channel}`, shownText(t, text)]);
  }
  t.shown.push(['closed', code]);
}

/** A Status is compared as an object. */
const shownText = (t: Trial, text: string): unknown =>
  text.startsWith('{') ? t.mask.json(JSON.parse(text)) : t.mask.text(text);

function opened(t: Trial, path: string, { protocols = V5, as, headers }: Talk): WebSocket {
  const { url, caPem, adminToken } = t.ground;
  const socket = new WebSocket(`${url.replace('https', 'wss')}${path}`, [...protocols], {
    ca: caPem,
    headers: {
      authorization: `Bearer ${adminToken}`,
      ...(as === undefined ? {} : { 'impersonate-user': as.user }),
      ...headers,
    },
  });
  t.after(async () => socket.terminate());
  return socket;
}

/** Undefined: the connection is upgraded. */
function refusalOf(socket: WebSocket): Promise<IncomingMessage | undefined> {
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve(undefined));
    socket.once('unexpected-response', (_, response: IncomingMessage) => resolve(response));
    socket.once('error', reject);
  });
}

async function recordRefusal(t: Trial, asked: string, response: IncomingMessage): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const answer = { status: response.statusCode ?? 0, headers: headersOf(response), body: Buffer.concat(chunks) };
  t.shown.push(shownAnswer(asked, answer, t.mask));
}

const closed = (socket: WebSocket): Promise<unknown[]> =>
  once(socket, 'close', { signal: AbortSignal.timeout(DEADLINE_MS) });

/** The same over SPDY, as older clients do: `wanted` are the streams, `input` what is sent on stdin. */
export async function bySpdy(t: Trial, path: string, wanted: readonly string[], input?: string): Promise<void> {
  const asked = t.mask.text(`SPDY ${path}`);
  const upgraded = await spdyPipe(t, path, 'v4.channel.k8s.io');
  if (!('pipe' in upgraded)) {
    await recordRefusal(t, asked, upgraded.refused);
    return;
  }
  const session = new SpdySession(upgraded.pipe, 'client', () => undefined);
  const texts = await Promise.all(
    wanted.map(async type => {
      const stream = session.open({ streamtype: type });
      if (type === 'stdin') {
        if (input !== undefined) stream.write(Buffer.from(input));
        stream.end();
      }
      return [type, await allOf(stream)] as const;
    }),
  );
  session.close();
  t.shown.push([asked, 101, { protocol: upgraded.protocol }]);
  for (const [type, text] of texts) t.shown.push([type, shownText(t, text)]);
}

type Upgraded = { readonly pipe: Duplex; readonly protocol: unknown } | { readonly refused: IncomingMessage };

function spdyPipe(t: Trial, path: string, protocol: string): Promise<Upgraded> {
  const { url, caPem, adminToken } = t.ground;
  const headers = {
    authorization: `Bearer ${adminToken}`,
    connection: 'Upgrade',
    upgrade: 'SPDY/3.1',
    'x-stream-protocol-version': protocol,
  };
  const agent = new Agent({ ca: caPem, keepAlive: false });
  return new Promise((resolve, reject) => {
    const outgoing = secureRequest(`${url}${path}`, { method: 'POST', headers, agent });
    outgoing.once('upgrade', (response, pipe) => {
      t.after(async () => pipe.destroy());
      resolve({ pipe, protocol: response.headers['x-stream-protocol-version'] });
    });
    outgoing.once('response', refused => resolve({ refused }));
    outgoing.once('error', reject);
    outgoing.end();
  });
}

function allOf(stream: { listen(listener: (bytes: Buffer | undefined) => void): void }): Promise<string> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('a stream did not end')), DEADLINE_MS);
    let text = '';
    stream.listen(bytes => {
      text += bytes?.toString('latin1') ?? '';
      if (bytes !== undefined) return;
      clearTimeout(late);
      resolve(text);
    });
  });
}

/** How a port is reached: SPDY inside a WebSocket as kubectl does it, or plain SPDY as it used to. */
export async function forwarded(
  t: Trial,
  path: string,
  how: 'tunnel' | 'spdy',
  what: { readonly port: number; readonly text: string },
): Promise<void> {
  const asked = t.mask.text(`${how.toUpperCase()} ${path}`);
  const upgraded = how === 'spdy' ? await spdyPipe(t, path, 'portforward.k8s.io') : await tunnel(t, path);
  if (!('pipe' in upgraded)) {
    await recordRefusal(t, asked, upgraded.refused);
    return;
  }
  const session = new SpdySession(upgraded.pipe, 'client', () => undefined);
  const about = { port: String(what.port), requestid: '0' };
  const error = session.open({ streamtype: 'error', ...about });
  const data = session.open({ streamtype: 'data', ...about });
  error.end();
  data.write(Buffer.from(what.text));
  data.end();
  const [answered, failed] = await Promise.all([allOf(data), allOf(error)]);
  session.close();
  t.shown.push([asked, 101, { protocol: upgraded.protocol }, { answered, failed: t.mask.text(failed) }]);
}

async function tunnel(t: Trial, path: string): Promise<Upgraded> {
  // The protocol's name has a slash, which the library does not let pass: it is agreed on behind its back.
  const headers = { 'sec-websocket-protocol': 'SPDY/3.1+portforward.k8s.io' };
  const socket = opened(t, path, { protocols: [], headers });
  let protocol: unknown;
  socket.once('upgrade', (response: IncomingMessage) => {
    protocol = response.headers['sec-websocket-protocol'];
    delete response.headers['sec-websocket-protocol'];
  });
  const refused = await refusalOf(socket);
  return refused === undefined ? { pipe: createWebSocketStream(socket), protocol } : { refused };
}
