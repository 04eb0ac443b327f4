// A takeover that dies at any of its writes leaves one converter at work for every kind, and goes on when it is run again.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { definitionsOf } from '../../../src/fleet/definitions.ts';
import { bundleOf } from '../../../src/fleet/metal-endpoint/authorities.ts';
import { converterOf } from '../../../src/fleet/metal-endpoint/converters.ts';
import { readShared } from '../../../src/fleet/metal-endpoint/shared-authorities.ts';
import { storedKindOf } from '../../../src/fleet/takeover/halves.ts';
import type { Api } from '../../../src/kube/api.ts';
import { CustomResourceDefinition } from '../../../src/kube/core/other.ts';
import { type Kind, resourceName } from '../../../src/kube/kind.ts';
import type { LeftCluster } from '../foreign/cluster.ts';
import { leftCluster } from '../foreign/cluster.ts';

class Killed extends Error {}

/** One process: dies at the first write whose name is not among `survived`, before it or once it is done, and is dead then. */
function mortal(api: Api, survived: Set<string>, when: 'before' | 'after'): Api {
  let isDead = false;
  const alive = async <T>(call: () => Promise<T>): Promise<T> => {
    if (isDead) throw new Killed('dead');
    return call();
  };
  const write = async <T>(verb: string, on: readonly [Kind, string], call: () => Promise<T>): Promise<T> => {
    const name = `${verb} ${resourceName(on[0])} ${on[1]}`;
    if (isDead || survived.has(name)) return alive(call);
    survived.add(name);
    if (when === 'after') await call();
    isDead = true;
    throw new Killed(name);
  };
  return {
    ...api,
    get: (kind, key) => alive(() => api.get(kind, key)),
    find: (kind, key) => alive(() => api.find(kind, key)),
    list: (kind, options) => alive(() => api.list(kind, options)),
    create: (kind, object) => write('create', [kind, object.metadata.name], () => api.create(kind, object)),
    update: (kind, object, sub) => write('update', [kind, object.metadata.name], () => api.update(kind, object, sub)),
    patch: (kind, key, body, how) => write('patch', [kind, key.name], () => api.patch(kind, key, body, how)),
    delete: (kind, key, how) => write('delete', [kind, key.name], () => api.delete(kind, key, how)),
  };
}

/** Every definition is converted by upstream still, or by ours with the trust that it needs; then its objects are read. */
async function assertOneConverter({ fleet: { api } }: LeftCluster, bundle: string): Promise<void> {
  for (const { metadata } of definitionsOf(['metal'])) {
    const definition = await api.get(CustomResourceDefinition, { name: metadata.name });
    const { at, caBundle } = converterOf(definition);
    if (at === undefined || at === 'capm3-system/capm3-webhook-service') continue;
    assert.equal(at, 'pippin-system/pippin-metal', metadata.name);
    assert.equal(caBundle, btoa(bundle), `${metadata.name} trusts our endpoint`);
    for (const version of ['v1beta1', 'v1beta2']) await api.list({ ...storedKindOf(definition), version });
  }
}

const isKill = (error: unknown): boolean =>
  error instanceof Killed || (error instanceof Error && error.cause !== undefined && isKill(error.cause));

for (const when of ['before', 'after'] as const) {
  test(`killed ${when} each of its writes in turn, a takeover goes on when it is run again`, async () => {
    const cluster = await leftCluster('1.13');
    const { authorities } = await readShared(cluster.fleet.api);
    assert.ok(authorities !== undefined);
    const survived = new Set<string>();
    let deaths = 0;

    for (;;) {
      const done = await cluster.takeOver(mortal(cluster.fleet.api, survived, when)).then(
        () => true,
        (error: unknown) => {
          if (!isKill(error)) throw error;
          return false;
        },
      );
      await assertOneConverter(cluster, bundleOf(authorities));
      if (done) break;
      deaths++;
      assert.ok(deaths < 200, 'it goes on');
    }

    assert.match(await cluster.takeover(), /Nothing is left to do/);
    assert.ok(deaths >= 30, `it died ${deaths} times`);
    await cluster.fleet.close();
  });
}
