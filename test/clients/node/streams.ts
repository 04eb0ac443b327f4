// Reaching into a Pod with the JavaScript client: logs, commands, a port.

import { PassThrough, Writable } from 'node:stream';
import { Exec, Log, PortForward, type V1Status } from '@kubernetes/client-node';
import { runningPod, type Stage, until } from './stage.ts';

/** Keeps what is written to it. */
class Kept extends Writable {
  text = '';
  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

export async function logs(stage: Stage): Promise<void> {
  await runningPod(stage, 'worker');
  const kept = new Kept();
  let ended = false;
  kept.once('finish', () => {
    ended = true;
  });
  await new Log(stage.config).log(stage.namespace, 'worker', 'main', kept, { follow: true, tailLines: 2 });
  await until(() => ended);
  stage.say(kept.text);
  const none = new Log(stage.config).log(stage.namespace, 'nobody', 'main', new Kept());
  stage.say(
    await none.then(
      () => 'there are logs',
      error => String(error).replace(/\n.*/s, ''),
    ),
  );
}

export async function commands(stage: Stage): Promise<void> {
  await runningPod(stage, 'worker');
  stage.say(await told(stage, ['echo', 'hello']));
  stage.say(await told(stage, ['cat'], 'a line\n'));
  stage.say(await told(stage, ['sh', '-c', 'echo out; echo err >&2; exit 3']));
  stage.say(await told(stage, ['nothing']));
}

async function told({ config, namespace }: Stage, command: string[], input?: string): Promise<string> {
  const [stdout, stderr] = [new Kept(), new Kept()];
  const stdin = input === undefined ? null : new PassThrough();
  const ended = Promise.withResolvers<V1Status>();
  await new Exec(config).exec(namespace, 'worker', 'main', command, stdout, stderr, stdin, false, ended.resolve);
  stdin?.end(input);
  const { status, reason, message, details } = await ended.promise;
  const causes = details?.causes?.map(cause => `${cause.reason} ${cause.message}`);
  return JSON.stringify({ command, stdout: stdout.text, stderr: stderr.text, status, reason, message, causes });
}

export async function port(stage: Stage): Promise<void> {
  await runningPod(stage, 'worker');
  const [output, errors, input] = [new Kept(), new Kept(), new PassThrough()];
  const socket = await new PortForward(stage.config).portForward(stage.namespace, 'worker', [7], output, errors, input);
  input.write('there and back');
  await until(() => output.text.includes('back'));
  if (typeof socket !== 'function') socket.close();
  stage.say(`${output.text} ${errors.text}`);
}
