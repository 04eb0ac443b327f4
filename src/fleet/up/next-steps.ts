// What a person can do with a fleet that has come up: the commands to try, and where kubectl is to be had.

import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import process from 'node:process';

export interface Situation {
  readonly kubeconfigFile: string;
  readonly hasKubectl: boolean;
  readonly platform: NodeJS.Platform;
  readonly macs: boolean;
  /** The kubeconfig of the workload cluster, where there are bare-metal machines. */
  readonly workload?: string;
}

export function nextSteps({ kubeconfigFile, hasKubectl, platform, macs, workload }: Situation): readonly string[] {
  return [
    '',
    'Try next, in another terminal:',
    `  export KUBECONFIG=${quoted(kubeconfigFile)}`,
    ...(macs ? MACS : []),
    ...(workload === undefined ? [] : metalSteps(workload)),
    ...(hasKubectl ? [] : ['', ...howToGetKubectl(platform)]),
    '',
    'Ctrl-C ends everything; the next start goes on with the same fleet.',
  ];
}

const MACS = [
  '  kubectl get nodes,pods,machines',
  '  kubectl describe pod demo',
  '  kubectl delete machine --all --wait=false   # its Mac is wiped and comes back; no Pod is left behind',
];

const metalSteps = (workload: string): readonly string[] => [
  '  kubectl get baremetalhosts,metal3machines,metal3datas,ipaddresses.ipam.metal3.io',
  `  kubectl --kubeconfig ${quoted(workload)} get nodes   # in the workload cluster`,
  '  kubectl delete metal3datatemplate workers --wait=false   # waits for its machines, and says so',
  '  kubectl delete machine --all --wait=false   # hosts are erased; data, addresses and the template go',
];

/** One that is not too old for this API. */
const RELEASE = 'v1.35.0';

function howToGetKubectl(platform: NodeJS.Platform): readonly string[] {
  const os = platform === 'darwin' ? 'darwin' : 'linux';
  const arch = process.arch === 'arm64' ? 'arm64' : 'amd64';
  return [
    'kubectl is not on this machine. To get it:',
    `  curl -LO https://dl.k8s.io/release/${RELEASE}/bin/${os}/${arch}/kubectl && chmod +x kubectl`,
  ];
}

export function isOnPath(command: string, path = process.env.PATH ?? ''): boolean {
  return path.split(delimiter).some(folder => folder !== '' && existsSync(join(folder, command)));
}

const quoted = (path: string): string => (/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`);
