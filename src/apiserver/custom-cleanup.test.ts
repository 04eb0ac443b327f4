// What becomes of a definition whose objects cannot be deleted at first.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Log, silentLog } from '../base/log.ts';
import { forbidden } from './answer/status.ts';
import { anApi } from './api-double.ts';
import type { Admission } from './parts.ts';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const GADGETS = '/apis/example.com/v1/namespaces/default/gadgets';

const DEFINITION = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'gadgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'gadgets', kind: 'Gadget' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};

/** Everything here is done in microtasks: after so many nothing is under way any more. */
async function drained(): Promise<void> {
  for (let turns = 0; turns < 1000; turns += 1) await Promise.resolve();
}

test('a deletion that was refused is told, tried again, and then the definition goes', async () => {
  let refusals = 1;
  const admission: Admission = ({ attributes, object, old }) => {
    const isRefused = attributes.verb === 'delete' && attributes.resource === 'gadgets' && refusals > 0;
    if (!isRefused) return { object: object ?? old, warnings: [] };
    refusals -= 1;
    return { refused: forbidden({ group: 'example.com', resource: 'gadgets', name: 'a' }, 'not now').status };
  };
  const told: string[] = [];
  const log: Log = {
    ...silentLog,
    error: (message, fields) => void told.push(`${message}: ${JSON.stringify(fields)}`),
  };
  const api = await anApi({ admission: [admission] }, log);
  await api.create(DEFINITIONS, DEFINITION);
  await api.create(GADGETS, { apiVersion: 'example.com/v1', kind: 'Gadget', metadata: { name: 'a' } });

  await api.delete(`${DEFINITIONS}/gadgets.example.com`);
  await drained();
  const before = (await api.get(`${GADGETS}/a`)).status;
  api.clock.move(5000);
  await drained();

  assert.equal(before, 200);
  assert.match(
    told.join(),
    /^A deleted definition still has objects .*"definition":"gadgets\.example\.com".*gadgets\/a was answered with 403/,
  );
  assert.equal(told.length, 1);
  assert.equal((await api.get(`${DEFINITIONS}/gadgets.example.com`)).status, 404);
  await api.api.close();
});

test('an API that was closed does not try again', async () => {
  const admission: Admission = ({ attributes, object, old }) =>
    attributes.verb === 'delete' && attributes.resource === 'gadgets'
      ? { refused: forbidden({ group: 'example.com', resource: 'gadgets', name: 'a' }, 'never').status }
      : { object: object ?? old, warnings: [] };
  const api = await anApi({ admission: [admission] });
  await api.create(DEFINITIONS, DEFINITION);
  await api.create(GADGETS, { apiVersion: 'example.com/v1', kind: 'Gadget', metadata: { name: 'a' } });
  const timers = api.clock.timers;
  await api.delete(`${DEFINITIONS}/gadgets.example.com`);
  await drained();
  const waiting = api.clock.timers;

  await api.api.close();

  assert.deepEqual([waiting, api.clock.timers], [timers + 1, timers]);
});
