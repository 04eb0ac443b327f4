// Label selectors: what they select, what makes objects enter and leave, and what is no selector.

import type { Case } from '../frame/case.ts';
import type { Trial } from '../frame/trial.ts';
import { label, quietSecret, secretsIn, versionOf } from './prepared.ts';

async function names(t: Trial, path: string): Promise<readonly string[] | string> {
  const { json } = await t.quietly({ method: 'GET', path });
  return json.items === undefined
    ? (json.message as string)
    : json.items.map((item: { metadata: { name: string } }) => item.metadata.name);
}

async function selected(t: Trial, secrets: string, selectors: readonly string[]): Promise<void> {
  for (const selector of selectors) {
    t.note(t.mask.text(selector), await names(t, `${secrets}?labelSelector=${encodeURIComponent(selector)}`));
  }
}

async function labelled(t: Trial): Promise<string> {
  const secrets = await t.in('secrets');
  await quietSecret(t, secrets, 'front-1', { tier: 'front', rank: '1' });
  await quietSecret(t, secrets, 'back-2', { tier: 'back', rank: '2', 'example.com/mark': '' });
  await quietSecret(t, secrets, 'none');
  return secrets;
}

export const selectingByLabels: readonly Case[] = [
  {
    says: 'labels are selected by equality, sets and existence',
    steps: async t => {
      const secrets = await labelled(t);
      await selected(t, secrets, [
        'tier=front',
        'tier==front',
        'tier!=front',
        'tier in (front, back)',
        'tier notin (front)',
        'tier',
        '!tier',
        'tier,rank=2',
        'example.com/mark',
        'example.com/mark=',
        'tier in ()',
        'tier in (front,)',
        ' tier = front , rank ',
        'in=1',
        'tier=in',
      ]);
    },
  },
  {
    says: 'labels are selected by comparison of whole numbers',
    steps: async t => {
      const secrets = await labelled(t);
      await selected(t, secrets, [
        'rank>1',
        'rank<2',
        'rank > 0',
        'tier>1',
        'rank>one',
        'rank>1.5',
        'rank>=1',
        'none<9',
      ]);
    },
  },
  {
    says: 'what is no label selector is refused in the words of its parser',
    steps: async t => {
      const secrets = await t.in('secrets');
      await selected(t, secrets, [
        '((',
        'a=b,',
        ',a=b',
        'a=b=c',
        'a in b',
        'a in (b',
        '=b',
        'a b',
        '!a=b',
        '!',
        'a=b c',
        'a notin',
        'x y z',
        'a=(b)',
      ]);
    },
  },
  {
    says: 'keys and values of a label selector must be such',
    steps: async t => {
      const secrets = await t.in('secrets');
      await selected(t, secrets, [
        '-a=b',
        'a/b/c=d',
        '/a=b',
        'A_B.c=d',
        `${'k'.repeat(64)}=v`,
        `k=${'v'.repeat(64)}`,
        'UPPER.com/a=b',
        'a=-b',
        'a=b!',
        'ä=b',
        'a in (b,-c)',
      ]);
    },
  },
  {
    says: 'a refused selector answers a Status',
    steps: async t => {
      const secrets = await t.in('secrets');
      await t.get(`${secrets}?labelSelector=((`);
      await t.watch(`${secrets}?watch=1&labelSelector=((`);
      await t.delete(`${secrets}?labelSelector=((`);
    },
  },
  {
    says: 'an object enters a watch when its labels come to be selected and leaves it when they no longer are',
    steps: async t => {
      const secrets = await secretsIn(t, 'a');
      const version = await versionOf(t, secrets);
      const watch = await t.watch(`${secrets}?watch=1&resourceVersion=${version}&labelSelector=is%3Din`);
      await label(t, `${secrets}/a`, { is: 'in' });
      await label(t, `${secrets}/a`, { is: 'in', more: 'yes' });
      const out = await label(t, `${secrets}/a`, { is: 'out' });
      await label(t, `${secrets}/a`, { more: null });
      await label(t, `${secrets}/a`, { is: 'in' });
      const frames = await watch.frames(4);
      t.note('left at the version of that change', frames[2]?.object.metadata.resourceVersion === out);
    },
  },
  {
    says: 'an object that is deleted while it is not selected is not told',
    steps: async t => {
      const secrets = await t.in('secrets');
      const version = await quietSecret(t, secrets, 'a', { is: 'in' });
      const watch = await t.watch(
        `${secrets}?watch=1&resourceVersion=${version}&labelSelector=is%3Din&timeoutSeconds=3`,
      );
      await label(t, `${secrets}/a`, { is: 'out' });
      await t.quietly({ method: 'DELETE', path: `${secrets}/a` });
      await watch.toEnd();
    },
  },
  {
    says: 'an object that is deleted while it is selected is told with its last state',
    steps: async t => {
      const secrets = await t.in('secrets');
      const version = await quietSecret(t, secrets, 'a', { is: 'in' });
      const watch = await t.watch(`${secrets}?watch=1&resourceVersion=${version}&labelSelector=is%3Din`);
      await t.quietly({ method: 'DELETE', path: `${secrets}/a` });
      await watch.frames(1);
    },
  },
  {
    says: 'both selectors must hold',
    steps: async t => {
      const secrets = await labelled(t);
      t.note('both', await names(t, `${secrets}?labelSelector=tier&fieldSelector=metadata.name%3Dback-2`));
      t.note('one', await names(t, `${secrets}?labelSelector=!tier&fieldSelector=metadata.name%3Dback-2`));
    },
  },
];
