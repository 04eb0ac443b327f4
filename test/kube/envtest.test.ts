import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { binaryFolder } from '../../scripts/kube/binaries.ts';
import { exampleIn, guideCommands } from '../setup/guide.ts';

const root = resolve(import.meta.dirname, '../..');
const scratch = mkdtempSync(join(tmpdir(), 'envtest-'));
const assets = join(scratch, 'assets');
/** The module, and one with the guide's example in its place. */
const own = join(scratch, 'own');
const guide = join(scratch, 'guide');
after(() => rmSync(scratch, { recursive: true, force: true }));

/** Go's own caches are where the person's are; the programs that it makes find nothing of the person. */
const goHome = { ...process.env, HOME: userInfo().homedir, GOFLAGS: '-mod=readonly -buildvcs=false', CGO_ENABLED: '0' };

before(() => {
  execFileSync(process.execPath, [join(root, 'scripts/envtest-assets.ts'), '--out', assets]);
  for (const folder of [own, guide]) cpSync(join(root, 'test/envtest'), folder, { recursive: true });
  rmSync(join(guide, 'environment_test.go'));
  const { file, text } = exampleIn('go');
  writeFileSync(join(guide, file), text);
  for (const folder of [own, guide]) {
    execFileSync('go', ['test', '-c', '-o', 'compiled.test', '.'], { cwd: folder, env: goHome, stdio: 'inherit' });
  }
});

const ran = (folder: string, programs: string) => {
  const env = { ...process.env, KUBEBUILDER_ASSETS: programs };
  return spawnSync(join(folder, 'compiled.test'), ['-test.v'], {
    cwd: folder,
    env,
    encoding: 'utf8',
    timeout: 240_000,
  });
};

/** The median of the starts that a run tells of, in milliseconds. */
function startMs(output: string): number {
  const all = [...output.matchAll(/ready after (\d+) ms/g)].map(([, ms]) => Number(ms)).sort((a, b) => a - b);
  return all[Math.floor(all.length / 2)] ?? Number.NaN;
}

test("Go's envtest runs on the folder as on the real programs, and is ready sooner", t => {
  const [embedded, real] = [ran(own, assets), ran(own, binaryFolder())];

  for (const { status, stdout, stderr } of [embedded, real]) assert.equal(status, 0, `${stdout}${stderr}`);
  const [fast, slow] = [startMs(embedded.stdout), startMs(real.stdout)];
  t.diagnostic(`ready after ${fast} ms, the real programs after ${slow} ms: ${(slow / fast).toFixed(1)} times`);
  assert.ok(fast < slow);
});

test("the guide's example passes under the guide's commands", () => {
  const [, , [assetsCommand = '', exportCommand = ''] = [], [testCommand = ''] = []] = guideCommands();
  const { status, stdout, stderr } = ran(guide, assets);

  assert.equal(status, 0, `${stdout}${stderr}`);
  assert.match(stdout, /--- PASS: TestWidgetsHaveAMaximalSize/);
  // What has been run here, with folders of this test in place of the reader's.
  assert.equal(assetsCommand, 'npm run envtest-assets');
  assert.equal(exportCommand, 'export KUBEBUILDER_ASSETS=$PWD/.cache/envtest');
  assert.equal(testCommand, 'go test ./...');
});
