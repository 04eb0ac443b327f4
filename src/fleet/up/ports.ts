// Which ports the services of a simulated fleet have: one each, kept over restarts as long as nobody else takes it (up-4).

import { createServer } from 'node:net';

/** By service name. */
export type Ports = Readonly<Record<string, number>>;

/** The kept port while it is free; else any other, which is then kept. */
export async function portFor(service: string, kept: Ports): Promise<number> {
  const before = kept[service];
  return before !== undefined && (await isFree(before)) ? before : await listenOnce(0);
}

export async function isFree(port: number): Promise<boolean> {
  try {
    await listenOnce(port);
    return true;
  } catch {
    return false;
  }
}

/** Takes the port, lets go of it again, and says which it was. */
function listenOnce(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : port));
    });
  });
}
