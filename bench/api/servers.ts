// The two servers that are compared: ours as users run it, and kube-apiserver with etcd; both with fsync, TLS and RBAC.

import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startRealKube } from '../../test/kube/real.ts';
import { connection, type Target } from './connection.ts';
import { GROUND } from './pods.ts';
import { children } from './resources.ts';

export type ServerName = 'pippin' | 'kube-apiserver';

export interface Server {
  readonly name: ServerName;
  readonly target: Target;
  readonly pids: readonly number[];
  /** From the start of its process until it answered that it is ready. */
  readonly readyMs: number;
  stop(): Promise<void>;
}

/** As users start it. */
const COMMAND = resolve(import.meta.dirname, '../../bin/pippin');

type Started = Omit<Server, 'name'>;

/** Started afresh on an empty folder, with a namespace for the Pods. */
export async function startServer(name: ServerName): Promise<Server> {
  const server = { name, ...(await (name === 'pippin' ? startOurs() : startReal())) };
  try {
    await prepare(server.target);
    return server;
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function startReal(): Promise<Started> {
  const start = performance.now();
  const kube = await startRealKube({ durable: true, controllers: [] });
  const { url, caPem, adminToken } = kube;
  const readyMs = performance.now() - start;
  return { target: { url, caPem, token: adminToken }, pids: children(), readyMs, stop: kube.stop };
}

async function startOurs(): Promise<Started> {
  const folder = mkdtempSync(join(tmpdir(), 'pippin-bench-'));
  const start = performance.now();
  const argv = ['apiserver', '--data-dir', folder, '--port', '0'];
  const child = spawn(COMMAND, argv, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<void>(done => child.once('exit', () => done()));
  // Whatever becomes of the bench, its servers end with it.
  const killNow = (): void => void child.kill('SIGKILL');
  process.once('exit', killNow);
  const stop = async (): Promise<void> => {
    process.removeListener('exit', killNow);
    child.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  const url = await new Promise<string>((found, failed) => {
    child.stdout.on('data', (text: Buffer) => {
      const ready = /ready at (\S+);/.exec(text.toString());
      if (ready?.[1] !== undefined) found(ready[1]);
    });
    void ended.then(() => failed(new Error('the embedded API ended before it was ready')));
  });
  const caPem = readFileSync(join(folder, 'pki/ca.crt'), 'utf8');
  const token = readFileSync(join(folder, 'pki/admin.token'), 'utf8').trim();
  const target = { url, caPem, token };
  const client = await connection(target);
  await client.send({ method: 'GET', path: '/readyz' });
  client.close();
  return { target, pids: [child.pid ?? 0], readyMs: performance.now() - start, stop };
}

async function prepare(target: Target): Promise<void> {
  const client = await connection(target);
  for (const request of GROUND) {
    const answer = await client.send(request);
    if (answer.status >= 300) throw new Error(`${request.path} answered ${answer.status}: ${answer.start}`);
  }
  client.close();
}
