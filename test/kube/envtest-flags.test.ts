import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { binaryPath } from '../../scripts/kube/binaries.ts';
import { ABSENT_FLAGS } from '../../src/cli/envtest/absent-flags.ts';
import { KUBE_APISERVER_FLAGS } from '../../src/cli/envtest/kube-apiserver-flags.ts';

/** Every program has them. */
const OF_EVERYBODY = ['help', 'version'];

test('every flag of kube-apiserver is taken by its stand-in for envtest or refused by name, and it has no other', () => {
  const help = execFileSync(binaryPath('kube-apiserver'), ['--help'], { encoding: 'utf8' });
  const real = [...help.matchAll(/^ +(?:-\w, )?--([\w-]+)/gm)].map(([, name = '']) => name);

  const known = [...KUBE_APISERVER_FLAGS.map(({ name }) => name), ...ABSENT_FLAGS, ...OF_EVERYBODY];

  assert.ok(real.length > 150);
  assert.deepEqual(known.toSorted(), real.toSorted());
});
