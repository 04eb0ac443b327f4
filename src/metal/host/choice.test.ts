// Which hosts are no choice, and which come before others: kept ones first, then the failure domain, then chance.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { virtualClock } from '../../../sim/time/clock.ts';
import { seededRandom } from '../../../sim/time/random.ts';
import { BareMetalHost } from '../../kinds/generated/bare-metal-host.generated.ts';
import { Metal3Machine, type Metal3MachineSpec } from '../../kinds/generated/metal3-machine.generated.ts';
import type { Caches, Informer } from '../../kube/cache.ts';
import { apiVersionOf } from '../../kube/kind.ts';
import type { KubeObject, ObjectMeta } from '../../kube/object.ts';
import { ObjectStore } from '../../kube/store.ts';
import { type Choice, chooseHost, closedTo } from './choice.ts';
import { hostSelectorOf } from './selector.ts';
import { speakFor } from './spoken-for.ts';

const REUSE = 'infrastructure.cluster.x-k8s.io/node-reuse';
const DOMAIN = 'infrastructure.cluster.x-k8s.io/failure-domain';

type More = Pick<BareMetalHost, 'spec' | 'status'> & {
  readonly metadata?: Partial<ObjectMeta>;
  readonly state?: string;
};

function aHost(name: string, { metadata, spec, status, state = 'available' }: More = {}): BareMetalHost {
  return {
    apiVersion: apiVersionOf(BareMetalHost),
    kind: 'BareMetalHost',
    metadata: { name, namespace: 'metal', uid: name, resourceVersion: '1', ...metadata },
    ...(spec === undefined ? {} : { spec }),
    status: { provisioning: { state }, ...status },
  };
}

const aMachine = (spec: Metal3MachineSpec = {}): Metal3Machine => ({
  apiVersion: apiVersionOf(Metal3Machine),
  kind: 'Metal3Machine',
  metadata: { name: 'm1', namespace: 'metal' },
  spec,
});

/** Caches that hold just these hosts. */
function holding(hosts: readonly BareMetalHost[]): Caches {
  const store = new ObjectStore<BareMetalHost>();
  for (const object of hosts) store.apply({ type: 'seen', object });
  const informer: Informer<BareMetalHost> = {
    kind: BareMetalHost,
    synced: true,
    whenSynced: () => Promise.resolve(),
    onChange: () => () => undefined,
    get: () => undefined,
    list: namespace => store.list(namespace),
    index: (name, keysOf) => store.index(name, keysOf),
    by: (name, value) => store.by(name, value),
  };
  const ofAny: Informer<KubeObject> = informer as Informer<KubeObject>;
  return { of: <T extends KubeObject>() => ofAny as Informer<T> };
}

interface Wanting {
  readonly spec?: Metal3MachineSpec;
  readonly reuseName?: string;
  readonly failureDomain?: string;
  readonly seed?: number;
}

const wish = ({ spec, reuseName, failureDomain }: Wanting) => ({
  machine: aMachine(spec),
  cluster: { namespace: 'metal', name: 'c1' },
  reuseName,
  failureDomain,
});

const choose = (hosts: readonly BareMetalHost[], wanting: Wanting = {}): Choice =>
  chooseHost(wish(wanting), { caches: holding(hosts), clock: virtualClock(), random: seededRandom(wanting.seed ?? 1) });

const chosen = (hosts: readonly BareMetalHost[], wanting: Wanting = {}): string => {
  const choice = choose(hosts, wanting);
  return choice.kind === 'none' ? 'none' : `${choice.kind} ${choice.host.metadata.name}`;
};

const keptFor = (name: string, cluster = 'c1') => ({
  metadata: { labels: { [REUSE]: name } },
  spec: { consumerRef: { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', name: cluster, namespace: 'metal' } },
});

test('a host in trouble, in use, frozen or not yet available is no choice', () => {
  const annotated = (annotation: string): More => ({ metadata: { annotations: { [annotation]: '' } } });
  const passedOver: readonly [string, More][] = [
    ['deleting', { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }],
    ['with an error', { status: { errorMessage: 'no power' } }],
    ['paused', annotated('baremetalhost.metal3.io/paused')],
    ['unhealthy', annotated('capm3.metal3.io/unhealthy')],
    ['unhealthy as before', annotated('capi.metal3.io/unhealthy')],
    ['being moved', annotated('clusterctl.cluster.x-k8s.io/delete-for-move')],
    ['used by another', { spec: { consumerRef: { apiVersion: 'v1', kind: 'ConfigMap', name: 'x' } } }],
    ['kept for another cluster', keptFor('md-a', 'c2')],
    ['kept for others', keptFor('md-b')],
    ['marked for others', { metadata: { labels: { [REUSE]: 'md-b' } } }],
    ['kept without a mark', { spec: keptFor('x').spec }],
    ['of another namespace', { metadata: { namespace: 'other' } }],
    ...['', 'unmanaged', 'registering', 'inspecting', 'preparing', 'provisioned', 'deprovisioning'].map(
      (state): [string, More] => [state, { state }],
    ),
  ];
  for (const [name, more] of passedOver) {
    assert.equal(chosen([aHost('h', more)], { reuseName: 'md-a' }), 'none', name);
  }
  assert.equal(chosen([{ ...aHost('h'), status: {} }]), 'none');
  assert.equal(chosen([aHost('h', { state: 'ready' })]), 'chosen h');
});

test('a host kept for the machine comes before any that is free (metal-7.10)', () => {
  const hosts = [aHost('free'), aHost('kept', keptFor('md-a')), aHost('kept-for-b', keptFor('md-b'))];

  assert.equal(chosen(hosts, { reuseName: 'md-a' }), 'chosen kept');
  assert.equal(chosen(hosts, { reuseName: 'md-c' }), 'chosen free');
  assert.equal(chosen(hosts), 'chosen free');
});

test('a mark alone keeps a host, as earlier providers left it', () => {
  const marked = aHost('marked', { metadata: { labels: { [REUSE]: 'cp-a' } } });

  assert.equal(chosen([aHost('free'), marked], { reuseName: 'cp-a' }), 'chosen marked');
});

test('while a kept host is not available it is waited for, unless another kept one is', () => {
  const busy = aHost('busy', { ...keptFor('md-a'), state: 'deprovisioning' });

  assert.equal(chosen([aHost('free'), busy], { reuseName: 'md-a' }), 'kept busy');
  assert.equal(chosen([aHost('ok', keptFor('md-a')), busy], { reuseName: 'md-a' }), 'chosen ok');
});

test('hosts in the failure domain come first, kept ones too, and where there is none any will do', () => {
  const inDomain = (name: string, more: More = {}): BareMetalHost =>
    aHost(name, { ...more, metadata: { labels: { ...more.metadata?.labels, [DOMAIN]: 'fd1' } } });
  for (let seed = 0; seed < 5; seed++) {
    assert.equal(chosen([aHost('a'), inDomain('b'), aHost('c')], { failureDomain: 'fd1', seed }), 'chosen b');
    const kept = [aHost('a', keptFor('md-a')), inDomain('b', keptFor('md-a')), aHost('c', keptFor('md-a'))];
    assert.equal(chosen(kept, { failureDomain: 'fd1', reuseName: 'md-a', seed }), 'chosen b');
  }
  assert.equal(chosen([aHost('a')], { failureDomain: 'fd1' }), 'chosen a');
});

test('chance picks among equals', () => {
  const hosts = Array.from({ length: 4 }, (_, i) => aHost(`h${i}`));
  const picked = new Set(Array.from({ length: 40 }, (_, seed) => chosen(hosts, { seed })));

  assert.equal(picked.size, 4);
});

test('a host that another machine is about to reserve is passed over for a while', async () => {
  const hosts = [aHost('h')];
  const world = { caches: holding(hosts), clock: virtualClock(), random: seededRandom(1) };
  const other: Metal3Machine = { ...aMachine(), metadata: { name: 'm2', namespace: 'metal' } };
  speakFor(aHost('h'), other, world);

  assert.deepEqual(chooseHost(wish({}), world), { kind: 'none', passedOver: true });
  assert.equal(chooseHost({ ...wish({}), machine: other }, world).kind, 'chosen');
  await world.clock.advance(10_000);
  assert.equal(chooseHost(wish({}), world).kind, 'chosen');
});

test('the selector holds labels and expressions, in whatever case upstream lets an operator be written', () => {
  const spec = (key: string, operator: string, ...values: string[]): Metal3MachineSpec => ({
    hostSelector: { matchExpressions: [{ key, operator, values }] },
  });
  const host = aHost('h', { metadata: { labels: { rack: 'a', slot: '7', empty: '' } } });
  const allows: readonly [Metal3MachineSpec, boolean][] = [
    [{ hostSelector: { matchLabels: { rack: 'a' } } }, true],
    [{ hostSelector: { matchLabels: { rack: 'a', slot: '8' } } }, false],
    [{ hostSelector: { matchLabels: { none: '' } } }, false],
    [spec('rack', 'In', 'a', 'b'), true],
    [spec('rack', 'in', 'b'), false],
    [spec('none', 'in', ''), false],
    [spec('rack', 'NotIn', 'b'), true],
    [spec('none', 'NOTIN', 'b'), true],
    [spec('rack', 'notin', 'a'), false],
    [spec('empty', 'Exists'), true],
    [spec('none', 'exists'), false],
    [spec('none', '!'), true],
    [spec('rack', 'DoesNotExist'), false],
    [spec('slot', 'Gt', '6'), true],
    [spec('slot', 'lt', '6'), false],
    [spec('rack', 'gt', '6'), false],
    [spec('rack', '=', 'a'), true],
    [spec('rack', '!=', 'a'), false],
  ];
  for (const [machine, expected] of allows) {
    assert.equal(hostSelectorOf(aMachine(machine))(host), expected, JSON.stringify(machine));
  }
});

test('a selector that says nothing is refused by its field', () => {
  const refused: readonly [string, readonly string[], RegExp][] = [
    ['near', ['a'], /matchExpressions\[0\]: "near" of label rack is no operator/],
    ['in', [], /"in" of label rack takes at least one value/],
    ['notin', [], /"notin" of label rack takes at least one value/],
    ['exists', ['a'], /"exists" of label rack takes no value/],
    ['!', ['a'], /"!" of label rack takes no value/],
    ['=', ['a', 'b'], /"=" of label rack takes one value/],
    ['gt', ['a'], /compared with one whole number/],
  ];
  for (const [operator, values, words] of refused) {
    const hostSelector = { matchExpressions: [{ key: 'rack', operator, values }] };
    assert.throws(() => hostSelectorOf(aMachine({ hostSelector })), words);
  }
});

test('a recorded host is closed once it is kept for others or is in trouble', () => {
  const closed = (host: BareMetalHost): string | undefined => closedTo(wish({ reuseName: 'md-a' }), host);

  assert.equal(closed(aHost('h')), undefined);
  assert.equal(closed(aHost('h', keptFor('md-a'))), undefined);
  assert.equal(closed(aHost('h', keptFor('md-b'))), 'is kept for others');
  assert.equal(closed(aHost('h', { status: { errorMessage: 'no power' } })), 'has an error: no power');
  assert.equal(closed(aHost('h', { state: 'preparing' })), 'is not available');
});
