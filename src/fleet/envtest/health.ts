// A server that is healthy and does nothing else: what a program sees that only asks whether etcd is there.

import { createServer, type Server } from 'node:http';
import { portTaken } from '../../adapters/http/server.ts';
import { defineError } from '../../base/errors.ts';

const urlInvalid = defineError('PIPPIN_E_ENVTEST_URL', {
  retry: 'never',
  remedy: 'Write it like http://127.0.0.1:2379',
  says: (url: string) => `${JSON.stringify(url)} is no http address with a port`,
});

/** Listens at each of the addresses; what comes back ends it. */
export async function serveHealth(urls: readonly string[]): Promise<() => Promise<void>> {
  const addresses = urls.map(addressOf);
  const servers = await Promise.all(addresses.map(listening));
  return async () => {
    await Promise.all(servers.map(closed));
  };
}

interface Address {
  readonly host: string;
  readonly port: number;
}

function addressOf(text: string): Address {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' || url.port === '') throw urlInvalid(text);
  return { host: url.hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(url.port) };
}

function listening({ host, port }: Address): Promise<Server> {
  const server = createServer((request, response) => {
    const isHealth = request.url === '/health' && request.method === 'GET';
    response.writeHead(isHealth ? 200 : 404, { 'content-type': 'application/json' });
    response.end(isHealth ? '{"health":"true","reason":""}' : '');
  });
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(error.code === 'EADDRINUSE' ? portTaken.causedBy(error, host, port) : error);
    });
    server.listen(port, host, () => resolve(server));
  });
}

function closed(server: Server): Promise<void> {
  return new Promise(resolve => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
