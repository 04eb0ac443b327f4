// One step over an open SSH connection: the script as the command, secrets on standard input, bounded output.

import type { Client, ClientChannel } from 'ssh2';
import type { Clock } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import { type HostStep, hostLost, OUTPUT_KEPT_BYTES, type StepResult } from '../../mac/host-shell.ts';
import { SecretText } from '../../mac/secret-text.ts';

/** What ssh itself answers when a command was killed by a signal. */
const KILLED = 255;

export function runStep(client: Client, step: HostStep, clock: Clock): Promise<StepResult> {
  return new Promise((resolve, reject) => {
    const lose = (why: string): void => {
      stopTimer();
      client.off('close', onClose);
      client.off('error', onError);
      reject(hostLost(step.name, why));
    };
    const onClose = (): void => lose('the connection closed');
    const onError = (error: Error): void => lose(messageOf(error));
    const stopTimer = clock.after(step.timeoutMs, () => {
      lose(`no end within ${step.timeoutMs} ms`);
      client.destroy();
    });
    client.on('close', onClose);
    client.on('error', onError);
    client.exec(commandOf(step), (error, channel) => {
      if (error !== undefined) return lose(messageOf(error));
      collect(channel, step, result => {
        stopTimer();
        client.off('close', onClose);
        client.off('error', onError);
        resolve(result);
      });
    });
  });
}

/** The login shell of a Mac is zsh; the script is for sh. */
function commandOf(step: HostStep): string {
  return `/bin/sh -c '${step.script.replaceAll("'", `'\\''`)}'`;
}

function collect(channel: ClientChannel, step: HostStep, end: (result: StepResult) => void): void {
  const stdout = new Tail();
  const stderr = new Tail();
  let code: number | null = null;
  channel.on('data', (chunk: Buffer) => stdout.add(chunk));
  channel.stderr.on('data', (chunk: Buffer) => stderr.add(chunk));
  channel.on('exit', (exitCode: number | null) => {
    code = exitCode;
  });
  channel.on('close', () => end({ exitCode: code ?? KILLED, stdout: stdout.text(), stderr: stderr.text() }));
  // A script that ends before it has read everything closes the pipe; its exit code says why.
  channel.on('error', () => undefined);
  channel.end(inputOf(step));
}

function inputOf({ stdin }: HostStep): Buffer {
  if (stdin === undefined) return Buffer.alloc(0);
  return stdin instanceof SecretText ? Buffer.from(stdin.reveal(), 'utf8') : Buffer.from(stdin);
}

/** Keeps the end of a stream: what went wrong stands there. */
class Tail {
  #bytes = Buffer.alloc(0);

  add(chunk: Buffer): void {
    this.#bytes = Buffer.concat([this.#bytes, chunk]).subarray(-OUTPUT_KEPT_BYTES);
  }

  text(): string {
    return this.#bytes.toString('utf8');
  }
}
