// The way of one client to one API: every write on it is noted, and after any of them the client can be cut off before it hears the answer.

import { createServer, type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from 'node:http';
import { Agent, request as open } from 'node:https';
import type { AddressInfo } from 'node:net';

export interface Write {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly body: string;
  readonly status: number;
}

export interface Server {
  /** `https://127.0.0.1:PORT`. */
  readonly url: string;
  readonly caPem: string;
  /** Go's clients send none in the clear. */
  readonly adminToken: string;
}

export interface Way {
  /** `http://127.0.0.1:PORT`: in the clear, on loopback. */
  readonly url: string;
  readonly writes: Write[];
  /** Called once a write has been carried out; true: its answer stays out. */
  onWritten: (write: Write) => boolean;
  close(): Promise<void>;
}

export async function wayTo({ url, caPem, adminToken }: Server): Promise<Way> {
  const headers = { authorization: `Bearer ${adminToken}` };
  const agent = new Agent({ keepAlive: true, ca: caPem, maxSockets: Number.POSITIVE_INFINITY });
  const writes: Write[] = [];
  const server = createServer((incoming, outgoing) => {
    forward(incoming, outgoing, { url, agent, headers })
      .then(answer => (incoming.method === 'GET' ? pass(answer, outgoing) : noted(incoming, answer, outgoing)))
      // Either end may be gone before all of an answer was read.
      .catch(() => outgoing.destroy());
  });
  const noted = async (incoming: IncomingMessage, answer: Answer, outgoing: ServerResponse): Promise<void> => {
    const text = await wholeOf(answer.response);
    const { method = '', url: path = '' } = incoming;
    const write = { method, path, body: answer.sent.toString(), status: answer.response.statusCode ?? 0 };
    writes.push(write);
    if (way.onWritten(write)) return void outgoing.destroy();
    outgoing.writeHead(write.status, answer.response.headers);
    outgoing.end(text);
  };
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const way: Way = {
    url: `http://127.0.0.1:${port}`,
    writes,
    onWritten: () => false,
    close: async () => {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
      agent.destroy();
    },
  };
  return way;
}

interface Answer {
  readonly sent: Buffer;
  readonly response: IncomingMessage;
}

async function forward(
  incoming: IncomingMessage,
  answering: ServerResponse,
  to: { readonly url: string; readonly agent: Agent; readonly headers: OutgoingHttpHeaders },
): Promise<Answer> {
  const sent = await wholeOf(incoming);
  const { method, url: path = '/' } = incoming;
  const headers = { ...incoming.headers, ...to.headers };
  return new Promise((resolve, reject) => {
    const outgoing = open(new URL(path, to.url), { method, headers, agent: to.agent }, response => {
      resolve({ sent, response });
    });
    outgoing.on('error', reject);
    // A watch whose client is gone ends with it.
    answering.once('close', () => outgoing.destroy());
    outgoing.end(sent);
  });
}

function pass({ response }: Answer, outgoing: ServerResponse): void {
  outgoing.writeHead(response.statusCode ?? 502, response.headers);
  outgoing.flushHeaders();
  response.pipe(outgoing);
  response.on('error', () => outgoing.destroy());
}

async function wholeOf(stream: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of stream as AsyncIterable<Buffer>) parts.push(part);
  return Buffer.concat(parts);
}
