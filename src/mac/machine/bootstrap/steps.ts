// Which steps set a Mac up, in which order, and which of them a push to a running Mac repeats.

import { minutes, seconds } from '../../../base/clock.ts';
import type { Artifacts } from '../../artifacts.ts';
import type { HostStep } from '../../host-shell.ts';
import { type SecretText, secret } from '../../secret-text.ts';
import { AGENT_LABEL, agentJob, agentPlist } from './agent-job.ts';
import { autoLogin, kcpassword } from './auto-login.ts';
import { agentBundle, tartBundle } from './bundles.ts';
import { cleanStart } from './clean-start.ts';
import { hostname } from './hostname.ts';
import { kubeconfig } from './kubeconfig.ts';
import { type HostScript, render } from './script.ts';
import { stayAwake } from './stay-awake.ts';
import { passwordlessSudo } from './sudo.ts';

/** Everything that a Mac is set up with. */
export interface SetUp {
  readonly machineName: string;
  readonly user: string;
  readonly password: SecretText;
  readonly kubeconfig: SecretText;
  readonly agentFlags: readonly string[];
  readonly artifacts: Artifacts;
  readonly timing: SetUpTiming;
}

export interface SetUpTiming {
  /** How long the agent's process must stay up to count as started; 5 unless told otherwise (mac-F70). */
  readonly settleSeconds: number;
  /** How long the console is given to log in; 30 unless told otherwise. */
  readonly aquaSeconds: number;
}

export const USUAL_TIMING: SetUpTiming = { settleSeconds: 5, aquaSeconds: 30 };

/** Digests of the bundles that are on the host already; undefined where none is. */
export interface Installed {
  readonly tart: string | undefined;
  readonly agent: string | undefined;
}

/** Lets the later steps become root. */
export function sudoStep({ password }: Pick<SetUp, 'password'>): HostStep {
  return step(passwordlessSudo, {}, { stdin: secret(`${password.reveal()}\n`) });
}

/** Ends the VMs of earlier use; only ever before the first set-up of a host (safe-11). */
export function cleanStartStep({ user }: Pick<SetUp, 'user'>): HostStep {
  return step(cleanStart, { user, label: AGENT_LABEL }, { timeoutMs: minutes(10) });
}

/** The whole set-up, after `sudoStep`. */
export async function setUpSteps(setUp: SetUp, installed: Installed): Promise<readonly HostStep[]> {
  const { machineName, user, password, artifacts, timing } = setUp;
  return [
    step(
      autoLogin,
      { user, aqua_seconds: String(timing.aquaSeconds) },
      { stdin: kcpassword(password.reveal()), timeoutMs: minutes(2) },
    ),
    step(stayAwake, { user }),
    step(hostname, { name: machineName }),
    ...(await bundleSteps(tartBundle, artifacts.tart, installed.tart)),
    ...(await pushSteps(setUp, installed)),
  ];
}

/** What a change of configuration repeats on a running Mac. Tart is not in it: its VMs run (mac-5). */
export async function pushSteps(setUp: SetUp, installed: Installed): Promise<readonly HostStep[]> {
  const { user, artifacts, agentFlags, timing } = setUp;
  return [
    step(kubeconfig, { user }, { stdin: setUp.kubeconfig }),
    ...(await bundleSteps(agentBundle, artifacts.agent, installed.agent)),
    step(
      agentJob,
      { label: AGENT_LABEL, user, settle_seconds: String(timing.settleSeconds) },
      { stdin: new TextEncoder().encode(agentPlist({ user, flags: agentFlags })), timeoutMs: minutes(4) },
    ),
  ];
}

/** A step without values and input. */
export const plainStep = (script: HostScript): HostStep => step(script, {});

async function bundleSteps(
  script: HostScript,
  artifact: Artifacts['agent'],
  installed: string | undefined,
): Promise<readonly HostStep[]> {
  if (installed === artifact.digest) return [];
  const { digest } = artifact;
  return [step(script, { digest }, { stdin: await artifact.bytes(), timeoutMs: minutes(10) })];
}

function step(
  script: HostScript,
  values: Readonly<Record<string, string>>,
  more: { readonly stdin?: HostStep['stdin']; readonly timeoutMs?: number } = {},
): HostStep {
  const { stdin, timeoutMs = seconds(60) } = more;
  return { name: script.name, script: render(script, values), timeoutMs, ...(stdin === undefined ? {} : { stdin }) };
}
