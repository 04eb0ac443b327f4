// Numbers that a double does not hold, or holds only nearly.

import type { Case } from '../frame/case.ts';
import { aPod, podsIn, widgets } from '../frame/prepared.ts';
import type { Trial } from '../frame/trial.ts';
import type { Ask } from '../frame/wire.ts';

const textOf = (api: string, name: string, spec: string): string =>
  `{"apiVersion":"${api}","kind":"Widget","metadata":{"name":"${name}"},"spec":${spec}}`;

/** Notes the digits as they come back: whoever reads the answer as JSON may round them. */
async function noted(t: Trial, what: string, ask: Ask): Promise<void> {
  const { status, body, json } = await t.quietly(ask);
  const digits = /"(?:x|terminationGracePeriodSeconds)":([^,}\]]+)/.exec(body.toString())?.[1];
  t.note(what, status < 300 ? { status, digits } : { status, reason: json.reason, message: json.message });
}

const patchOf = (path: string, how: string, body: string): Ask => ({
  method: 'PATCH',
  path,
  body,
  headers: { 'content-type': `application/${how}` },
});

/** The number in every way in which a client can write it into a custom object. */
async function writtenEverywhere(t: Trial, number: string): Promise<void> {
  const { path, api } = await widgets(t, {});
  await t.quietly({ method: 'POST', path, body: textOf(api, 'w', '{}') });
  await noted(t, 'JSON', { method: 'POST', path, body: textOf(api, 'a', `{"list":[{"x":${number}}]}`) });
  const yaml = `apiVersion: ${api}\nkind: Widget\nmetadata: {name: b}\nspec:\n  list:\n  - x: ${number}\n`;
  await noted(t, 'YAML', { method: 'POST', path, body: yaml, headers: { 'content-type': 'application/yaml' } });
  await noted(t, 'a merge patch', patchOf(`${path}/w`, 'merge-patch+json', `{"spec":{"x":${number}}}`));
  const add = `[{"op":"add","path":"/spec/x","value":${number}}]`;
  await noted(t, 'a JSON patch', patchOf(`${path}/w`, 'json-patch+json', add));
  const applied = textOf(api, 'c', `{"x":${number}}`);
  await noted(t, 'an apply', patchOf(`${path}/c?fieldManager=me`, 'apply-patch+yaml', applied));
}

export const numbers: readonly Case[] = [
  {
    says: 'a whole number of 2^53 and more that is no double is kept',
    difference: 8,
    steps: async t => {
      await writtenEverywhere(t, '9007199254740993');
      const pods = await podsIn(t);
      const body = JSON.stringify(aPod('a')).replace(
        '"spec":{',
        '"spec":{"terminationGracePeriodSeconds":4611686018427387905,',
      );
      await noted(t, 'a Pod', { method: 'POST', path: pods, body });
    },
  },
  {
    says: 'the largest whole number of 64 bits is kept',
    difference: 8,
    steps: t => writtenEverywhere(t, '9223372036854775807'),
  },
  {
    says: 'a whole number that is a double is kept to the digit',
    steps: t => writtenEverywhere(t, '9007199254740994'),
  },
  {
    says: 'a whole number of more than 64 bits is the nearest double',
    steps: t => writtenEverywhere(t, '9223372036854775809'),
  },
  {
    says: 'digits behind the point that no double holds are dropped',
    steps: t => writtenEverywhere(t, '0.12345678901234567890'),
  },
  { says: 'a number with an exponent is a double', steps: t => writtenEverywhere(t, '12345678901234567.0e1') },
  { says: 'a number beyond all doubles is refused, but a text in YAML', steps: t => writtenEverywhere(t, '-1e400') },
  {
    says: 'what is no number to JSON is refused in YAML',
    steps: async t => {
      const { path, api } = await widgets(t, {});
      const headers = { 'content-type': 'application/yaml' };
      for (const number of ['.inf', '-.Inf', '.nan']) {
        await t.post(path, `kind: Widget\nmetadata: {name: b}\nspec: {x: ${number}}\napiVersion: ${api}\n`, {
          headers,
        });
      }
    },
  },
  {
    says: 'long digits inside of texts are texts',
    steps: async t => {
      const maps = await t.in('configmaps');
      await t.post(
        maps,
        '{ "metadata": {"name":"a"}, "data":{"a": "9007199254740993, 1e400", "b":" 9007199254740993"}}',
      );
    },
  },
];
