// Connections that have not said who they are over TLS: they end in time, and there are only so many (api-37).

import type { Server, Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';

/** Lets go of the connection that has been at its handshake for longest when there are more than `most`. */
export function boundHandshakes(server: Server, most: number): void {
  const unfinished = new Map<string, Socket>();
  server.on('connection', (socket: Socket) => {
    const from = peerOf(socket);
    unfinished.set(from, socket);
    socket.once('close', () => {
      if (unfinished.get(from) === socket) unfinished.delete(from);
    });
    const [longest] = unfinished.values();
    if (unfinished.size > most) longest?.destroy();
  });
  // Another object than the socket beneath it.
  server.on('secureConnection', (socket: TLSSocket) => unfinished.delete(peerOf(socket)));
}

const peerOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;
