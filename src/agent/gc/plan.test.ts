// What goes and what stays, decided on one view of the disk.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { goldenName } from '../images/golden.ts';
import { repositoryOf } from '../images/reference.ts';
import type { VmRecord } from '../records.ts';
import { GOLDEN_AGE_MS, imagesToRemove, type PlanRules, vmsToRemove } from './plan.ts';
import type { BoundPod, DiskView, SeenVm } from './view.ts';

const REPO = 'ghcr.io/tuist/runner';
const TAG = `${REPO}:26`;
const id = (letter: string): string => `${REPO}@sha256:${letter.repeat(64)}`;
const image = (name: string, contentId: string | undefined = name) => ({ name, sizeBytes: 1, contentId });
const ours = (contentId: string) => ({ contentId, names: [] });
const pod = (imageName: string, more: Partial<BoundPod> = {}): BoundPod => ({
  uid: 'u',
  image: imageName,
  vms: ['vm-u'],
  wantsImage: true,
  ...more,
});

function vm(name: string, more: Partial<SeenVm> & { note?: Partial<VmRecord> } = {}): SeenVm {
  const { note, ...rest } = more;
  const record =
    note === undefined ? undefined : { vm: name, use: 'pod' as const, image: TAG, state: 'made' as const, ...note };
  return { name, sizeBytes: 1, life: 'stopped', ours: true, record, ...rest };
}

const view = (of: Partial<DiskView>): DiskView => ({
  vms: [],
  images: [],
  vmRecords: [],
  imageRecords: [],
  pods: [],
  ...of,
});
const rules = (more: Partial<PlanRules> = {}): PlanRules => ({
  zeal: 'routine',
  nowMs: GOLDEN_AGE_MS,
  ages: { unreferencedSince: () => undefined },
  minGoldensKept: 0,
  ...more,
});
const names = (removals: readonly { readonly name: string }[]): readonly string[] => removals.map(({ name }) => name);

test('the live image stays although its Pod names it by tag and tart lists the digest (agent-55)', () => {
  const disk = view({ images: [image(id('a')), image(TAG, id('a'))], imageRecords: [ours(id('a'))], pods: [pod(TAG)] });

  assert.deepEqual(imagesToRemove(disk, 'routine'), []);
});

test('a superseded digest goes, a stranger’s does not, and names go before the content (safe-25)', () => {
  const old = `${REPO}:25`;
  const disk = view({
    images: [image(id('b')), image(old, id('b')), image(id('a')), image(TAG, id('a')), image(id('c'))],
    imageRecords: [ours(id('a')), ours(id('b'))],
    pods: [pod(TAG)],
  });

  assert.deepEqual(names(imagesToRemove(disk, 'routine')), [old, id('b')]);
});

test('a Pod whose image is not here yet keeps everything of its repository, unless space is needed to bring it', () => {
  const disk = view({ images: [image(id('b'))], imageRecords: [ours(id('b'))], pods: [pod(TAG)] });

  assert.deepEqual(imagesToRemove(disk, 'routine'), []);
  assert.deepEqual(names(imagesToRemove(disk, 'aggressive')), [id('b')]);
});

test('a tag that does not resolve keeps its repository, a VM of unknown image keeps everything', () => {
  const content = { images: [image(id('b'))], imageRecords: [ours(id('b'))] };
  const dangling = view({ ...content, images: [...content.images, { name: TAG, sizeBytes: 1, contentId: undefined }] });
  const unknownVm = view({ ...content, vms: [vm('old-vm')] });

  assert.deepEqual(imagesToRemove(dangling, 'aggressive'), []);
  assert.deepEqual(imagesToRemove(unknownVm, 'aggressive'), []);
  assert.deepEqual(names(imagesToRemove(view(content), 'routine')), [id('b')], 'with neither it goes');
});

test('VMs keep the image they were made of, whatever their Pods name by now', () => {
  const disk = view({
    images: [image(id('b'))],
    imageRecords: [ours(id('b'))],
    vms: [vm('vm-u', { note: { contentId: id('b') } })],
  });

  assert.deepEqual(imagesToRemove(disk, 'routine'), []);
});

test('an orphan goes only when it is ours and surely stopped', () => {
  const disk = view({
    vms: [
      vm('gone'),
      vm('alive', { life: 'running' }),
      vm('unclear', { life: 'unknown' }),
      vm('stranger', { ours: false }),
      vm('vm-u'),
    ],
    pods: [pod(TAG)],
  });

  assert.deepEqual(names(vmsToRemove(disk, rules())), ['gone']);
});

test('a base stays while a Pod names its image, and a day longer; under pressure it does not wait (agent-54, agent-63)', () => {
  const base = vm(goldenName(TAG));
  const since = (ms: number) => ({ ages: { unreferencedSince: () => ms } });

  assert.deepEqual(
    vmsToRemove(view({ vms: [base], pods: [pod(TAG)] }), rules({ ...since(0), zeal: 'aggressive' })),
    [],
  );
  assert.deepEqual(vmsToRemove(view({ vms: [base] }), rules()), []);
  assert.deepEqual(vmsToRemove(view({ vms: [base] }), rules(since(1))), []);
  assert.deepEqual(names(vmsToRemove(view({ vms: [base] }), rules(since(0)))), [base.name]);
  assert.deepEqual(names(vmsToRemove(view({ vms: [base] }), rules({ zeal: 'aggressive' }))), [base.name]);
});

test('the least number of bases stays, the one used last (agent-61)', () => {
  const old = vm(goldenName('a'), { accessedMs: 1 });
  const young = vm(goldenName('b'), { accessedMs: 2 });

  const removals = vmsToRemove(view({ vms: [young, old] }), rules({ zeal: 'aggressive', minGoldensKept: 1 }));

  assert.deepEqual(names(removals), [old.name]);
});

test('the wire name of a base is the hash that schedulers compute', () => {
  assert.equal(goldenName(`ghcr.io/tuist/tuist-runner@sha256:${'a'.repeat(64)}`), 'tuist-golden-9c8af651fdf30b10');
});

test('a repository is a name without tag and digest, its port kept', () => {
  assert.equal(repositoryOf(`localhost:5000/a/b:c`), 'localhost:5000/a/b');
  assert.equal(repositoryOf(`localhost:5000/a/b`), 'localhost:5000/a/b');
  assert.equal(repositoryOf(`a.b/c:t@sha256:${'0'.repeat(64)}`), 'a.b/c');
});
