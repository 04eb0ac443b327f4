// Where one scenario plays: a namespace, a pool and names of its own in the shared cluster, and the steps that scenarios have in common.

import assert from 'node:assert/strict';
import type { SimServer } from '../../../sim/scaleway/state.ts';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import { minutes } from '../../../src/base/clock.ts';
import { appleSiliconProviderId, HOST_ID, VM_CLEANUP } from '../../../src/kinds/wire.ts';
import type { Api } from '../../../src/kube/api.ts';
import { Namespace, ServiceAccount } from '../../../src/kube/core/other.ts';
import { Pod, type PodSpec } from '../../../src/kube/core/pod.ts';
import { hasFinalizer, isDeleting } from '../../../src/kube/object.ts';
import { MacMachine } from '../../../src/mac/machine/mac-machine.ts';
import { assertEmpty } from '../../stories/telling/scenario.ts';
import type { StoryFleet } from './fleet.ts';

const IMAGE = 'registry.example/macos:26';
const POLL_MS = 50;

export const INFRA = 'infrastructure.cluster.x-k8s.io/v1alpha1';

const SPEC: PodSpec = {
  restartPolicy: 'Never',
  tolerations: [{ operator: 'Exists' }],
  containers: [{ name: 'vm', image: IMAGE }],
};

export class Place {
  readonly fleet: StoryFleet;
  readonly ns: string;
  /** Names of free Macs of this scenario begin with it. */
  readonly pool: string;
  /** Its first machine, Node and claim name. */
  readonly mac: string;
  readonly api: Api;

  constructor(fleet: StoryFleet, id: string) {
    this.fleet = fleet;
    this.ns = `story-${id}`;
    this.pool = `pool-${id}-`;
    this.mac = `mac-${id}`;
    this.api = fleet.cluster.api;
  }

  get view() {
    return this.fleet.cluster.view;
  }

  /** The namespace, with the account that Pods get unless they name another. */
  async open(): Promise<void> {
    await this.api.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: this.ns } });
    const account = { namespace: this.ns, name: 'default' };
    const untilMs = systemClock.monotonic() + minutes(1);
    while ((await this.api.find(ServiceAccount, account)) === undefined) {
      assert.ok(systemClock.monotonic() < untilMs, `${this.ns} has its default account`);
      await systemClock.sleep(POLL_MS);
    }
  }

  orderMac(name = 'one'): SimServer {
    return this.fleet.cloud.order({ name: `${this.pool}${name}` });
  }

  createMac(name: string, namespace = this.ns): Promise<MacMachine> {
    const metadata = { name, namespace };
    const spec = { adoptPoolPrefix: this.pool };
    return this.api.create(MacMachine, { apiVersion: INFRA, kind: MacMachine.kind, metadata, spec });
  }

  /** A Mac with these Pods running on it. Answers its host. */
  async macWith(pods: readonly string[]): Promise<SimServer> {
    const host = this.orderMac();
    await this.createMac(this.mac);
    await this.runPods(this.mac, pods);
    assert.equal(host.name, this.mac);
    return host;
  }

  async runPods(node: string, pods: readonly string[]): Promise<void> {
    await this.must(`Node ${node} is there`, () => this.view.node(node) !== undefined);
    for (const name of pods) await this.createPod(name, node);
    await this.must(`${pods.join(', ')} run`, () => pods.every(name => this.runs(name)));
  }

  /** Bound to this Node: no scheduler runs here. Resolves once the view shows it, so that its absence means its end. */
  async createPod(name: string, nodeName: string, finalizers: readonly string[] = []): Promise<void> {
    const metadata = { name, namespace: this.ns, finalizers };
    await this.api.create(Pod, { apiVersion: 'v1', kind: 'Pod', metadata, spec: { ...SPEC, nodeName } });
    await this.must(`Pod ${name} is seen`, () => this.view.pod(this.ns, name) !== undefined);
  }

  /** A Pod as a lost agent left it: bound and under the finalizer; without a stamp, as upstream's agent knows none. */
  createHeldPod(name: string, nodeName: string): Promise<void> {
    return this.createPod(name, nodeName, [VM_CLEANUP]);
  }

  kubectl(...argv: string[]): Promise<string> {
    return this.fleet.cluster.kubectl([`--namespace=${this.ns}`, ...argv]);
  }

  /** Waits until it holds; fails with what there is when it does not. Answers the milliseconds it took. */
  async must(what: string, holds: () => boolean, withinMs = minutes(4)): Promise<number> {
    const startMs = systemClock.monotonic();
    while (!holds()) {
      const tookMs = systemClock.monotonic() - startMs;
      assert.ok(tookMs < withinMs, `within ${withinMs / 1000} s: ${what}; there is: ${this.state()}`);
      await systemClock.sleep(POLL_MS);
    }
    return systemClock.monotonic() - startMs;
  }

  /** A Pod of a Node that never was: when Pod GC has taken it, Pod GC has judged every Node that went before. */
  async podGcHasJudged(): Promise<void> {
    const name = 'canary';
    await this.createPod(name, `${this.mac}-never-was`);
    await this.must('Pod GC has judged', () => this.view.pod(this.ns, name) === undefined);
  }

  pods(): readonly Pod[] {
    return this.view.pods(this.ns);
  }

  podNames(): readonly string[] {
    return this.pods()
      .map(({ metadata }) => metadata.name)
      .sort();
  }

  runs(name: string): boolean {
    return this.view.pod(this.ns, name)?.status?.phase === 'Running';
  }

  /** Reason and message of the machine's Deleting condition. */
  deleting(name = this.mac): string {
    const conditions = this.view.mac(this.ns, name)?.status?.conditions ?? [];
    const deleting = conditions.find(({ type }) => type === 'Deleting');
    return deleting === undefined ? '' : `${deleting.reason}: ${deleting.message}`;
  }

  saysOf(pod: string, reason: string): string | undefined {
    return this.view.eventsOn(this.ns, pod).find(each => each.startsWith(`${reason}:`));
  }

  vms(host: SimServer): readonly string[] {
    return this.fleet.agents.running(host.id);
  }

  providerIdOf(host: SimServer): string {
    return appleSiliconProviderId(host.zone, host.id);
  }

  /** Nothing of the machine is left, and its host is back in the pool, wiped once. */
  assertGone(host: SimServer, node = this.mac): void {
    assertEmpty('machines', this.view.macs(this.ns));
    assertEmpty('Pods', this.podNames());
    assert.equal(this.view.node(node), undefined, 'the Node is gone');
    assertEmpty('VMs', this.vms(host));
    assert.ok(host.name.startsWith(this.pool), 'the host is back in the pool');
    assert.equal(host.wipes, 1, 'the host was wiped once');
  }

  /** What a person would look at. */
  state(): string {
    const pods = this.pods().map(pod => {
      const { name, finalizers, deletionTimestamp, annotations } = pod.metadata;
      const events = this.view.eventsOn(this.ns, name).slice(-4);
      const held = hasFinalizer(pod, VM_CLEANUP) ? 'held' : (finalizers ?? []);
      const end = isDeleting(pod) ? `deleting since ${deletionTimestamp}` : '';
      return { name, phase: pod.status?.phase, held, end, host: annotations?.[HOST_ID], events };
    });
    const macs = this.view.macs(this.ns).map(({ metadata, status }) => ({
      name: metadata.name,
      phase: status?.phase,
      conditions: status?.conditions?.map(each => `${each.type}=${each.status} ${each.reason}: ${each.message}`),
    }));
    const events = this.view.eventsOn(this.ns, this.mac);
    return JSON.stringify({ events, pods, macs, node: this.view.node(this.mac) !== undefined }, undefined, 1);
  }
}
