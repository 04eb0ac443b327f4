import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anApi, metaOf } from '../api-double.ts';
import type { JsonObject } from '../parts.ts';

const DAEMON_SETS = '/apis/apps/v1/namespaces/default/daemonsets';

const labels = { app: 'everywhere' };

const daemonSet = (image: string, more: JsonObject = {}): JsonObject => ({
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name: 'everywhere' },
  spec: {
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: 'main', image }] } },
    ...more,
  },
});

test('a DaemonSet counts the changes of its template, and of nothing else', async () => {
  const api = await anApi();
  const countOf = ({ body }: { body: JsonObject }): unknown =>
    (metaOf(body).annotations as JsonObject)['deprecated.daemonset.template.generation'];

  const made = await api.create(DAEMON_SETS, daemonSet('main:1'));
  const slower = await api.update(`${DAEMON_SETS}/everywhere`, daemonSet('main:1', { minReadySeconds: 5 }));
  const newer = await api.update(`${DAEMON_SETS}/everywhere`, daemonSet('main:2', { minReadySeconds: 5 }));

  assert.deepEqual([made, slower, newer].map(countOf), ['1', '1', '2']);
});
