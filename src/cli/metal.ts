// `pippin metal takeover`: what would change to run a Metal3 fleet with Pippin, and then exactly that.

import process from 'node:process';
import { Command } from 'commander';
import type { HalfName } from '../fleet/takeover/halves.ts';
import { usageError } from './errors.ts';

interface Flags {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly controllers: string;
  readonly apply?: string;
}

export function command(): Command {
  return new Command()
    .description('Metal3 fleets that another manager ran before.')
    .enablePositionalOptions()
    .addCommand(takeoverCommand());
}

function takeoverCommand(): Command {
  return new Command('takeover')
    .description(
      'Prints what has to change on a cluster where CAPM3 and its address manager ran, and changes it when the digest of that plan is repeated. Stops when they still work.',
    )
    .summary('the plan of moving over, or with --apply the doing of it')
    .option('--kubeconfig <file>', 'how to reach the API; in a Pod its service account will do')
    .option('--context <name>', "the kubeconfig's context; its current one unless given")
    .option('--controllers <names>', 'metal and ipam, comma-separated: the halves that move over', 'metal,ipam')
    .option('--apply <digest>', 'do what the plan with this digest says')
    .action(run);
}

async function run({ kubeconfig, context, controllers, apply }: Flags): Promise<void> {
  const halves = controllers.split(',').map(halfOf);
  const [{ runTakeover }, { systemClock: clock }, { systemRandom: random }] = await Promise.all([
    import('../fleet/takeover/takeover.ts'),
    import('../adapters/system/clock.ts'),
    import('../adapters/system/random.ts'),
  ]);
  await runTakeover({
    cluster: {
      ...(kubeconfig === undefined ? {} : { kubeconfig }),
      ...(context === undefined ? {} : { context }),
      env: process.env,
    },
    clock,
    random,
    halves,
    ...(apply === undefined ? {} : { apply }),
    say: line => void process.stdout.write(`${line}\n`),
  });
}

function halfOf(text: string): HalfName {
  const name = text.trim();
  if (name === 'metal' || name === 'ipam') return name;
  throw usageError(`--controllers takes metal and ipam, not "${name}"`);
}
