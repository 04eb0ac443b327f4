// A real control plane for tests: etcd, kube-apiserver and, unless told otherwise, kube-controller-manager.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { binaryPath, isBuilt } from '../../scripts/kube/binaries.ts';
import { type Authority, newAuthority, newSigningKeys } from './certificates.ts';
import { get } from './https.ts';
import { kubeconfigOf } from './kubeconfig.ts';
import { freePorts, type RunningProcess, startProcess } from './processes.ts';

const READY_DEADLINE_MS = 60_000;

/** What a cluster needs so that objects end as they do elsewhere; nothing that makes Pods or routes. */
const CONTROLLERS = [
  'garbage-collector-controller',
  'namespace-controller',
  'serviceaccount-controller',
  'root-ca-certificate-publisher-controller',
  'pod-garbage-collector-controller',
  'node-lifecycle-controller',
  'clusterrole-aggregation-controller',
  'disruption-controller',
  'certificatesigningrequest-signing-controller',
  'certificatesigningrequest-approving-controller',
] as const;

export interface RealKubeOptions {
  /** Controllers of kube-controller-manager; an empty list starts none. */
  readonly controllers?: readonly string[];
  readonly apiserverFlags?: readonly string[];
  /** Where kube-apiserver is to go for addresses that are not loopback: HTTP_PROXY. */
  readonly httpProxy?: string;
  readonly controllerManagerFlags?: readonly string[];
  /** Fsync before each acknowledgement, for benchmarks. Tests do without. */
  readonly durable?: true;
}

export interface RealKube extends AsyncDisposable {
  /** `https://127.0.0.1:PORT`. */
  readonly url: string;
  /** A kubeconfig file of a user in system:masters. */
  readonly kubeconfig: string;
  readonly adminToken: string;
  /** Where etcd listens, without TLS. */
  readonly etcdUrl: string;
  readonly caPem: string;
  /** Signs client certificates that this API server accepts. */
  readonly authority: Authority;
  /** Everything that it wrote; gone after `stop`. */
  readonly folder: string;
  /** The built kubectl of the same version. */
  readonly kubectl: string;
  stop(): Promise<void>;
}

/** Starts it on free loopback ports with a temporary folder, and waits until it is ready. */
export async function startRealKube(options: RealKubeOptions = {}): Promise<RealKube> {
  if (!isBuilt('kube-apiserver')) throw new Error('The real control plane is not built: run scripts/kube/build.ts');
  const folder = mkdtempSync(join(tmpdir(), 'pippin-kube-'));
  const running: RunningProcess[] = [];
  const stop = async (): Promise<void> => {
    for (const process of running.splice(0).reverse()) await process.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    return await start(options, folder, running, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

async function start(
  options: RealKubeOptions,
  folder: string,
  running: RunningProcess[],
  stop: () => Promise<void>,
): Promise<RealKube> {
  const [etcdPort = 0, peerPort = 0, apiPort = 0] = await freePorts(3);
  const authority = await newAuthority();
  const adminToken = `admin-${crypto.randomUUID()}`;
  const url = `https://127.0.0.1:${apiPort}`;
  await writeFiles(folder, authority, adminToken);
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, kubeconfigOf(url, authority.certificate, adminToken), { mode: 0o600 });

  const launch = (name: string, argv: readonly string[], env: NodeJS.ProcessEnv = {}): void => {
    running.push(startProcess(binaryPath(name), argv, join(folder, `${name}.log`), env));
  };
  launch('etcd', etcdFlags(folder, etcdPort, peerPort, options));
  launch('kube-apiserver', [...apiserverFlags(folder, etcdPort, apiPort), ...(options.apiserverFlags ?? [])], {
    ...(options.httpProxy === undefined ? {} : { HTTP_PROXY: options.httpProxy, NO_PROXY: '' }),
  });
  await untilReady(url, authority.certificate, adminToken, running);

  const controllers = options.controllers ?? CONTROLLERS;
  if (controllers.length > 0) {
    const flags = controllerManagerFlags(folder, kubeconfig, controllers);
    launch('kube-controller-manager', [...flags, ...(options.controllerManagerFlags ?? [])]);
  }
  const kubectl = binaryPath('kubectl');
  const caPem = authority.certificate;
  const etcdUrl = `http://127.0.0.1:${etcdPort}`;
  return { url, kubeconfig, adminToken, etcdUrl, caPem, authority, folder, kubectl, stop, [Symbol.asyncDispose]: stop };
}

async function writeFiles(folder: string, authority: Authority, adminToken: string): Promise<void> {
  const server = await authority.server('kube-apiserver');
  const kubelet = await authority.client('kube-apiserver-kubelet-client', ['system:masters']);
  const tokens = await newSigningKeys();
  const files = {
    'ca.crt': authority.certificate,
    'ca.key': authority.key,
    'server.crt': server.certificate,
    'server.key': server.key,
    'kubelet.crt': kubelet.certificate,
    'kubelet.key': kubelet.key,
    'sa.key': tokens.key,
    'sa.pub': tokens.publicKey,
    'tokens.csv': `${adminToken},admin,admin,"system:masters"\n`,
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text, { mode: 0o600 });
  mkdirSync(join(folder, 'etcd'), { mode: 0o700 });
}

function etcdFlags(folder: string, port: number, peerPort: number, options: RealKubeOptions): readonly string[] {
  const client = `http://127.0.0.1:${port}`;
  const peer = `http://127.0.0.1:${peerPort}`;
  return [
    `--data-dir=${join(folder, 'etcd')}`,
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=default=${peer}`,
    ...(options.durable === true ? [] : ['--unsafe-no-fsync=true']),
  ];
}

function apiserverFlags(folder: string, etcdPort: number, port: number): readonly string[] {
  const file = (name: string): string => join(folder, name);
  return [
    `--etcd-servers=http://127.0.0.1:${etcdPort}`,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    '--endpoint-reconciler-type=none',
    `--secure-port=${port}`,
    `--cert-dir=${folder}`,
    `--tls-cert-file=${file('server.crt')}`,
    `--tls-private-key-file=${file('server.key')}`,
    `--client-ca-file=${file('ca.crt')}`,
    `--token-auth-file=${file('tokens.csv')}`,
    `--service-account-key-file=${file('sa.pub')}`,
    `--service-account-signing-key-file=${file('sa.key')}`,
    '--service-account-issuer=https://kubernetes.default.svc.cluster.local',
    '--service-cluster-ip-range=10.0.0.0/24',
    '--authorization-mode=Node,RBAC',
    '--enable-admission-plugins=NodeRestriction',
    '--allow-privileged=true',
    `--kubelet-client-certificate=${file('kubelet.crt')}`,
    `--kubelet-client-key=${file('kubelet.key')}`,
    `--kubelet-certificate-authority=${file('ca.crt')}`,
  ];
}

function controllerManagerFlags(folder: string, kubeconfig: string, controllers: readonly string[]): readonly string[] {
  return [
    `--kubeconfig=${kubeconfig}`,
    `--controllers=${controllers.join(',')}`,
    '--leader-elect=false',
    '--secure-port=0',
    `--service-account-private-key-file=${join(folder, 'sa.key')}`,
    `--root-ca-file=${join(folder, 'ca.crt')}`,
    `--cluster-signing-cert-file=${join(folder, 'ca.crt')}`,
    `--cluster-signing-key-file=${join(folder, 'ca.key')}`,
  ];
}

async function untilReady(url: string, ca: string, token: string, running: readonly RunningProcess[]): Promise<void> {
  const deadline = Date.now() + READY_DEADLINE_MS;
  for (;;) {
    const failure = running.map(process => process.failure()).find(text => text !== undefined);
    if (failure !== undefined) throw new Error(failure);
    const status = await get(`${url}/readyz`, { ca, token }).then(
      answer => answer.status,
      () => 0,
    );
    if (status === 200) return;
    if (Date.now() > deadline) throw new Error(`kube-apiserver was not ready after ${READY_DEADLINE_MS / 1000} s`);
    await new Promise(resolve => setTimeout(resolve, 100));
  }
}
