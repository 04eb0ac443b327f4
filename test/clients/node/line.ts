// A line between a client and a server that can be cut, to see how the client comes back.

import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export interface Line extends AsyncDisposable {
  readonly port: number;
  /** Ends every connection on it; new ones are taken. */
  cut(): void;
}

export async function lineTo(port: number): Promise<Line> {
  const open = new Set<Socket>();
  const server = createServer(near => {
    const far = connect(port, '127.0.0.1');
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(socket);
      socket.once('close', () => {
        open.delete(socket);
        other.destroy();
      });
      socket.on('error', () => other.destroy());
      socket.pipe(other);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const cut = (): void => {
    for (const socket of open) socket.destroy();
  };
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    cut,
    [Symbol.asyncDispose]: async () => {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
