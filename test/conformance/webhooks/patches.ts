// Patches of mutating webhooks that do not fit the object, or are odd: what comes of each.

import type { Case } from '../frame/case.ts';
import { base64, Hook, responding } from '../frame/webhook.ts';

interface Row {
  readonly says: string;
  /** A text is the patch as it is. */
  readonly patches: readonly unknown[];
}

const DATA = { list: 'x' };
const REF = [
  { apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: '1' },
  { apiVersion: 'v1', kind: 'ConfigMap', name: 'b', uid: '2' },
];
const REFS = '/metadata/ownerReferences';

const ROWS: readonly Row[] = [
  {
    says: 'what is added, removed or replaced has a place',
    patches: [
      [{ op: 'add', path: '/data/new', value: 'v' }],
      [{ op: 'add', path: '/nothing/new', value: 'v' }],
      [{ op: 'remove', path: '/data/nothing' }],
      [{ op: 'remove', path: '/nothing/new' }],
      [{ op: 'replace', path: '/data/nothing', value: 'v' }],
      [{ op: 'replace', path: '/nothing/new', value: 'v' }],
      [{ op: 'add', path: '/data/a~1b', value: 'v' }],
      [{ op: 'remove', path: '/data/li~0st' }],
      [{ op: 'remove', path: '/data/li~2st' }],
      [{ op: 'add', path: '/data/', value: 'v' }],
    ],
  },
  {
    says: 'places in lists are whole numbers within them',
    patches: [
      [{ op: 'add', path: `${REFS}/-`, value: { ...REF[0], name: 'z', uid: '3' } }],
      [{ op: 'add', path: `${REFS}/2`, value: { ...REF[0], name: 'z', uid: '3' } }],
      [{ op: 'add', path: `${REFS}/3`, value: REF[0] }],
      [{ op: 'add', path: `${REFS}/-1`, value: { ...REF[0], name: 'z', uid: '3' } }],
      [{ op: 'add', path: `${REFS}/-9`, value: REF[0] }],
      [{ op: 'add', path: `${REFS}/x`, value: REF[0] }],
      [{ op: 'remove', path: `${REFS}/0` }],
      [{ op: 'remove', path: `${REFS}/-1` }],
      [{ op: 'remove', path: `${REFS}/2` }],
      [{ op: 'remove', path: `${REFS}/x` }],
      [{ op: 'remove', path: `${REFS}/-` }],
      [{ op: 'replace', path: `${REFS}/01/name`, value: 'z' }],
      [{ op: 'replace', path: `${REFS}/5/name`, value: 'z' }],
      [{ op: 'replace', path: `${REFS}/5`, value: REF[0] }],
      [{ op: 'replace', path: `${REFS}/x`, value: REF[0] }],
    ],
  },
  {
    says: 'what is moved or copied is there',
    patches: [
      [{ op: 'move', from: '/data/list', path: '/data/moved' }],
      [{ op: 'copy', from: '/data/list', path: '/data/copied' }],
      [{ op: 'move', from: '/data/nothing', path: '/data/moved' }],
      [{ op: 'copy', from: '/data/nothing', path: '/data/copied' }],
      [{ op: 'move', from: '/nothing/x', path: '/data/moved' }],
      [{ op: 'copy', from: '/nothing/x', path: '/data/copied' }],
      [{ op: 'move', from: '/data/list', path: '/nothing/moved' }],
      [{ op: 'copy', from: `${REFS}/7`, path: '/data/copied' }],
      [{ op: 'move', path: '/data/moved' }],
      [{ op: 'copy', from: 1, path: '/data/copied' }],
      [{ op: 'move', from: '/data', path: '/data/moved' }],
    ],
  },
  {
    says: 'what is tested is so',
    patches: [
      [{ op: 'test', path: '/data/list', value: 'x' }],
      [{ op: 'test', path: '/data/list', value: 'y' }],
      [{ op: 'test', path: '/data/nothing', value: null }],
      [{ op: 'test', path: '/data/nothing', value: 'x' }],
      [{ op: 'test', path: '/data/list' }],
      [{ op: 'test', path: '/nothing/x', value: null }],
      [{ op: 'test', path: '/nothing/x', value: 1 }],
      [{ op: 'test', path: `${REFS}/x`, value: 1 }],
      [{ op: 'test', path: '', value: {} }],
    ],
  },
  {
    says: 'an operation is one that there is, with a path',
    patches: [
      [{ op: 'none', path: '/data/x', value: 'v' }],
      [{ path: '/data/x', value: 'v' }],
      [{ op: 1, path: '/data/x' }],
      [{ op: 'add', value: 'v' }],
      [{ op: 'add', path: 1, value: 'v' }],
      [{ op: 'add', path: 'data/x', value: 'v' }],
      [{ op: 'add', path: '/data/x' }],
      [{ op: 'replace', path: '/data/list' }],
      [{ op: 'add', path: '', value: {} }],
      [{ op: 'replace', path: '', value: { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'n' } } }],
      [{ op: 'replace', path: '', value: 'v' }],
      [{ op: 'remove', path: '' }],
      [{ op: 'add', path: '/data/list/deeper', value: 'v' }],
      [null],
      [1],
      [[]],
      [{}],
      [],
    ],
  },
  {
    says: 'the object stays where the request put it',
    patches: [
      [{ op: 'replace', path: '/metadata/namespace', value: 'default' }],
      [{ op: 'remove', path: '/metadata/namespace' }],
      [{ op: 'add', path: '/metadata/uid', value: 'mine' }],
      [{ op: 'add', path: '/metadata/resourceVersion', value: '1' }],
      [{ op: 'add', path: '/metadata/generateName', value: 'x-' }],
      [{ op: 'remove', path: '/metadata/name' }],
      [{ op: 'replace', path: '/kind', value: 'Nothing' }],
      [{ op: 'replace', path: '/apiVersion', value: 'v2' }],
      [{ op: 'remove', path: '/metadata' }],
    ],
  },
  {
    says: 'a patch is a list of operations in JSON',
    patches: [
      '{}',
      'null',
      '1',
      '"x"',
      '[',
      '',
      '[] trailing',
      '[{"op":"add","path":"/data/x","value":"v","value":"w"}]',
      'nonsense',
    ],
  },
];

const caseOf = ({ says, patches }: Row): Case => ({
  says: `patches of webhooks: ${says}`,
  steps: async t => {
    const hook = await Hook.open(t);
    hook.on(
      '/0',
      responding(({ object }) => {
        const patch = patches[Number(object.metadata.labels.number)];
        const text = typeof patch === 'string' ? patch : JSON.stringify(patch);
        return { allowed: true, patch: base64(text), patchType: 'JSONPatch' };
      }),
    );
    await hook.install('mutating', [{}]);
    const path = `${await t.in('configmaps')}?dryRun=All`;
    for (const number of patches.keys()) {
      const metadata = { name: 'a', labels: { number: String(number) }, ownerReferences: REF };
      await t.post(path, { metadata, data: DATA });
    }
  },
});

export const patches: readonly Case[] = ROWS.map(caseOf);
