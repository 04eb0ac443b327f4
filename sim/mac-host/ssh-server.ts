// A simulated Mac's SSH server: on loopback, with a host key of its own, open to the keys that the cloud put in.

import type { Readable } from 'node:stream';
import ssh2, { type AuthContext, type Connection, type PublicKeyAuthContext, type ServerChannel } from 'ssh2';
import type { Running } from './exec.ts';

export interface SshServerOptions {
  readonly hostKey: string;
  readonly user: string;
  /** authorized_keys lines, as they are at this moment. */
  readonly authorizedKeys: () => readonly string[];
  readonly execute: (command: string) => Running;
  /** 0 for any free one. */
  readonly port: number;
}

export interface SshServer {
  readonly port: number;
  close(): Promise<void>;
}

export async function serveSsh(options: SshServerOptions): Promise<SshServer> {
  const connections = new Set<Connection>();
  const server = new ssh2.Server({ hostKeys: [options.hostKey] }, connection => {
    connections.add(connection);
    connection.on('close', () => connections.delete(connection));
    connection.on('error', () => connection.end());
    connection.on('authentication', context => authenticate(context, options));
    connection.on('session', accept => {
      accept().on('exec', (acceptExec, _reject, { command }) => serve(acceptExec(), options.execute(command)));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, '127.0.0.1', () => resolve());
  });
  const { port } = server.address() as { port: number };
  return {
    port,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        for (const connection of connections) connection.end();
      }),
  };
}

/** Public keys only; no password gets anybody in (safe-23). */
function authenticate(context: AuthContext, options: SshServerOptions): void {
  const mayEnter =
    context.username === options.user &&
    context.method === 'publickey' &&
    isAuthorized(context, options.authorizedKeys());
  if (mayEnter) context.accept();
  else context.reject(['publickey']);
}

function isAuthorized(context: PublicKeyAuthContext, lines: readonly string[]): boolean {
  return lines.some(line => {
    const key = ssh2.utils.parseKey(line);
    if (key instanceof Error || Array.isArray(key)) return false;
    if (!key.getPublicSSH().equals(context.key.data)) return false;
    const { blob, signature } = context;
    if (signature === undefined) return true;
    return blob !== undefined && key.verify(blob, signature) === true;
  });
}

function serve(channel: ServerChannel, running: Running): void {
  channel.pipe(running.stdin);
  const outputs = [
    pour(running.stdout, chunk => channel.write(chunk)),
    pour(running.stderr, chunk => channel.stderr.write(chunk)),
  ];
  channel.on('close', () => running.abort());
  // The client may be gone before the output is.
  channel.on('error', () => running.abort());
  void Promise.all([running.ended, ...outputs]).then(([code]) => {
    channel.exit(code);
    channel.end();
  });
}

function pour(from: Readable, write: (chunk: Buffer) => void): Promise<void> {
  from.on('data', write);
  return new Promise(resolve => from.once('close', resolve));
}
