// The few HTTPS requests that the harness and the table generator make: no client of ours is under test here.

import { Agent, request } from 'node:https';

export interface Access {
  readonly ca: string;
  readonly token: string;
}

export interface Call extends Access {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Buffer;
}

/** No kept connections: a test process must end when its tests have. */
const agent = new Agent({ keepAlive: false });

export const get = (url: string, access: Access, accept = 'application/json'): Promise<Answer> =>
  send(url, { ...access, headers: { accept } });

export function send(url: string, call: Call): Promise<Answer> {
  const headers = { authorization: `Bearer ${call.token}`, ...call.headers };
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method: call.method ?? 'GET', headers, ca: call.ca, agent }, incoming => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.once('error', reject);
      incoming.once('end', () =>
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: Buffer.concat(chunks) }),
      );
    });
    outgoing.once('error', reject);
    outgoing.end(call.body);
  });
}
