import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { test } from 'node:test';
import packageJson from '../../package.json' with { type: 'json' };
import { KUBE_VERSION } from '../../scripts/kube/binaries.ts';
import { runCommandLine } from '../../src/cli/command-line.ts';
import { commands } from '../../src/cli/commands.ts';
import { COMMANDS } from '../clients/clusterctl/page.ts';
import { guideCommands } from './guide.ts';

const root = resolve(import.meta.dirname, '../..');
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  ...globSync('docs/**/*.md', { cwd: root }),
  ...globSync('adr/*.md', { cwd: root }),
];
const read = (page: string): string => readFileSync(join(root, page), 'utf8');

/** The command lines of a page's `sh` blocks, without comments, prompts and line continuations. */
function commandLines(page: string): string[] {
  return [...read(page).matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block = '']) => linesOf(block));
}

function linesOf(block: string): string[] {
  return block
    .replaceAll('\\\n', ' ')
    .split('\n')
    .map(line =>
      line
        .replace(/(^|\s)#.*$/, '')
        .replace(/^\$ /, '')
        .trim(),
    )
    .filter(line => line !== '');
}

/** What `pippin COMMAND [SUBCOMMAND] --help` prints. */
async function helpOf(...command: readonly string[]): Promise<string> {
  let text = '';
  const print = (more: string): void => {
    text += more;
  };
  await runCommandLine([...command, '--help'], commands, { out: print, err: print });
  return text;
}

const SCRIPTS: readonly string[] = Object.keys(packageJson.scripts);
const KUBECTL_VERBS =
  /^kubectl (-\S+ )*(get|describe|apply|edit|patch|label|annotate|scale|delete|wait|api-resources|explain|events|auth|logs|exec|create|cordon|drain)\b/;

/** The tests of the package, of envtest and of moving run these as they stand. */
const RUN_AS_THEY_STAND = new Set([...guideCommands().flat(), ...Object.values(COMMANDS).flatMap(linesOf)]);

/** Why a command line of the docs cannot be right; undefined when it can. */
async function troubleOf(line: string): Promise<string | undefined> {
  if (RUN_AS_THEY_STAND.has(line)) return undefined;
  const [program = '', first = '', second = ''] = line.split(/\s+/);
  if (program === 'npm') {
    const script = first === 'run' ? second : first;
    return script === 'ci' || SCRIPTS.includes(script) ? undefined : `package.json has no script "${script}"`;
  }
  if (program === 'pippin') return pippinTrouble(first, line);
  if (program === 'kubectl') return KUBECTL_VERBS.test(line) ? undefined : 'no verb that our tests run';
  return ['git', 'cd', 'export'].includes(program) ? undefined : `this test knows nothing of "${program}"`;
}

async function pippinTrouble(command: string, line: string): Promise<string | undefined> {
  if (command.startsWith('--')) return undefined;
  if (!commands.some(({ name }) => name === command)) return `there is no command "${command}"`;
  const [, , second = ''] = line.split(/\s+/);
  const help = await helpOf(command, ...(/^[a-z]/.test(second) ? [second] : []));
  const unknown = (line.match(/--[a-z][a-z-]*/g) ?? []).filter(flag => !help.includes(flag));
  return unknown.length === 0 ? undefined : `pippin ${command} knows no ${unknown.join(', ')}`;
}

test('every command in the docs exists, with its flags', async () => {
  const lines = pages.flatMap(page => commandLines(page).map(line => ({ page, line })));
  const troubles = await Promise.all(
    lines.map(async ({ page, line }) => ({ page, line, trouble: await troubleOf(line) })),
  );

  assert.deepEqual(
    troubles.filter(({ trouble }) => trouble !== undefined),
    [],
  );
  assert.ok(lines.length > 0);
});

test('the table of commands in the README is the list of commands', () => {
  const table = /<!-- commands: .*-->\n([\s\S]*?)<!-- \/commands -->/.exec(read('README.md'))?.[1] ?? '';
  const rows = [...table.matchAll(/^\| `pippin ([a-z]+)` \| (.*) \|$/gm)].map(([, name, summary]) => ({
    name,
    summary,
  }));

  assert.deepEqual(
    rows,
    commands.map(({ name, summary }) => ({ name, summary })),
  );
});

test('the README names the Kubernetes that the real control plane of the tests is', () => {
  assert.ok(read('README.md').includes(`Kubernetes ${KUBE_VERSION} `));
});

test('every link of the docs leads to a file', () => {
  const broken = pages.flatMap(page =>
    [...read(page).matchAll(/\]\((?!https?:)([^)#]+)/g)].flatMap(([, target = '']) =>
      existsSync(join(root, dirname(page), target)) ? [] : [`${page}: ${target}`],
    ),
  );

  assert.deepEqual(broken, []);
});

test('the docs say what is, not what will be', () => {
  const promises = pages.flatMap(page =>
    read(page)
      .split('\n')
      .flatMap((line, i) =>
        /\b(will be|coming soon|planned|not yet implemented)\b/i.test(line) ? [`${page}:${i + 1} ${line}`] : [],
      ),
  );

  assert.deepEqual(promises, []);
});

test('a decision is one screen: context, decision, consequence', () => {
  const decisions = pages.filter(page => page.startsWith('adr/'));
  for (const page of decisions) {
    const text = read(page);
    const number = Number(/^adr\/(\d{4})-/.exec(page)?.[1]);

    assert.match(text, new RegExp(`^# ${number}\\. `), page);
    assert.match(text, /\*\*Context\.\*\*[\s\S]*\*\*Decision\.\*\*[\s\S]*\*\*Consequence\.\*\*/, page);
    assert.ok(text.split('\n').length <= 45, `${page} is longer than a screen`);
  }
  assert.equal(new Set(decisions.map(page => page.slice(0, 8))).size, decisions.length, 'each number once');
});
