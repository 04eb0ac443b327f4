// The JavaScript client's informer: what it is told, also after its connection was cut.

import { makeInformer, type V1ConfigMap } from '@kubernetes/client-node';
import { lineTo } from './line.ts';
import { type Stage, until } from './stage.ts';

/** After a failure the client waits to be started again. */
const AGAIN_MS = 50;

export async function informer(stage: Stage): Promise<void> {
  const { core, config, namespace, say, side } = stage;
  await using line = await lineTo(Number(new URL(side.ground.url).port));
  const throughLine = Object.assign(Object.create(config), config);
  throughLine.clusters = config.clusters.map(cluster => ({ ...cluster, server: `https://127.0.0.1:${line.port}` }));

  for (const name of ['one', 'two']) await make(stage, name);
  const told: string[] = [];
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  const list = () => core.listNamespacedConfigMap({ namespace, labelSelector: 'mine' });
  const following = makeInformer<V1ConfigMap>(throughLine, path, list, 'mine');
  for (const event of ['add', 'update', 'delete'] as const) {
    following.on(event, ({ metadata, data }) => void told.push(`${event} ${metadata?.name} ${JSON.stringify(data)}`));
  }
  let failures = 0;
  let isOver = false;
  following.on('error', () => {
    failures += 1;
    if (!isOver) setTimeout(() => void following.start(), AGAIN_MS);
  });
  const heard = (count: number): Promise<void> => until(() => told.length === count);

  await following.start();
  await heard(2);
  await make(stage, 'three');
  await core.replaceNamespacedConfigMap({
    namespace,
    name: 'one',
    body: { ...named('one'), data: { changed: 'yes' } },
  });
  await core.deleteNamespacedConfigMap({ namespace, name: 'two' });
  await heard(5);
  line.cut();
  await make(stage, 'four');
  await heard(6);
  isOver = true;
  await following.stop();

  say(told.join('\n'));
  say(
    `it holds ${following
      .list()
      .map(({ metadata }) => metadata?.name)
      .sort()
      .join(' ')}`,
  );
  say(`it came back ${failures > 10 ? 'after many failures' : 'soon'}`);
}

const make = ({ core, namespace }: Stage, name: string): Promise<V1ConfigMap> =>
  core.createNamespacedConfigMap({ namespace, body: named(name) });

const named = (name: string): V1ConfigMap => ({ metadata: { name, labels: { mine: 'yes' } } });
