// docs/metal-faults.md: which test shows each scenario, gap, fault and hazard of Metal3, read from the names of the tests.

import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { numberedScenarios } from '../test/faults/metal/scenarios.ts';

const root = resolve(import.meta.dirname, '..');

const HEAD = `# Metal3: every fault and the test that shows it

Scenarios (S), gaps that upstream leaves open (G, and g of the address manager), faults that fleets have met (7.), and hazards
of machines and hosts (h), as [contracts/metal.md](contracts/metal.md) and [contracts/ipam.md](contracts/ipam.md) number
them. This page is written by \`npm run generate\` from the names of the tests: an id without a test stops it.

Each of S1 to S26 is a scenario of the fault explorer, by the name in brackets. \`npm test\` plays each once without a fault and
once with one; \`npm run faults\` a seeded sample of its faults, and with watches and with timers alone; \`npm run faults -- metal\`
every call with every fault, which takes hours; \`npm run test:kube\` each once on a real cluster.
`;

const PARTS: readonly (readonly [title: string, pattern: RegExp])[] = [
  ['Scenarios', /^metal-S/],
  ['Gaps', /^metal-G/],
  ['Faults', /^metal-7\./],
  ['Hazards of machines and hosts', /^metal-h/],
  ['Gaps of the address manager', /^ipam-g/],
];

interface Shown {
  readonly name: string;
  readonly path: string;
}

/** The page as it should be. */
export function metalFaultsPage(): string {
  const shown = [...scenarioTests(), ...namedTests()];
  const rules = [...rulesOf('metal'), ...rulesOf('ipam')];
  const missing = rules.filter(({ id }) => !shown.some(({ name }) => names(name, id)));
  if (missing.length > 0) throw new Error(`no test is named after ${missing.map(({ id }) => id).join(', ')}`);
  return (
    HEAD +
    PARTS.map(([title, pattern]) =>
      partText(
        title,
        rules.filter(({ id }) => pattern.test(id)),
        shown,
      ),
    ).join('')
  );
}

function partText(title: string, rules: readonly Rule[], shown: readonly Shown[]): string {
  const rows = rules.map(({ id, text }) => {
    const tests = shown.filter(({ name }) => names(name, id)).map(({ name, path }) => `${cellText(name)} \`${path}\``);
    return `| ${id} | ${cellText(text)} | ${tests.join('<br>')} |\n`;
  });
  return `\n## ${title}\n\n| Id | Rule | Tests |\n|---|---|---|\n${rows.join('')}`;
}

/** `metal-S1` is not `metal-S11`. */
const names = (name: string, id: string): boolean => new RegExp(`${id.replace('.', '\\.')}(?!\\d)`).test(name);

interface Rule {
  readonly id: string;
  readonly text: string;
}

/** `- **metal-S1** A machine is deleted.`, over as many lines as it takes. */
function rulesOf(page: string): readonly Rule[] {
  const text = readFileSync(join(root, 'docs/contracts', `${page}.md`), 'utf8');
  const rules = text.matchAll(
    /^- \*\*((?:metal-(?:[GSh]|7\.)|ipam-g)\d+)\*\* ([\s\S]*?)(?=\n- \*\*|\n\n|\n#|$(?![\s\S]))/gm,
  );
  return [...rules].map(([, id = '', what = '']) => ({ id, text: what.replaceAll(/\s+/g, ' ').trim() }));
}

function scenarioTests(): readonly Shown[] {
  return numberedScenarios.flatMap(({ name, says }) => {
    const text = `metal-${name.split('-')[0]} (${name}): ${says}`;
    return [
      { name: text, path: 'test/faults/metal/explore.test.ts' },
      { name: `${text}, on a real cluster`, path: 'test/kube/stories/stuck-data-template.test.ts' },
    ];
  });
}

const NAME = /\btest\(\s*(?:'((?:[^'\\]|\\.)*)'|`((?:[^`\\]|\\.)*)`)/g;

function namedTests(): readonly Shown[] {
  const paths = ['src', 'test', 'sim'].flatMap(folder => globSync(`${folder}/**/*.test.ts`, { cwd: root }));
  return paths
    .map(path => path.replaceAll('\\', '/'))
    .sort()
    .flatMap(path => {
      const names = [...readFileSync(join(root, path), 'utf8').matchAll(NAME)];
      return names.map(([, plain, template]) => ({ name: (plain ?? template ?? '').replaceAll("\\'", "'"), path }));
    })
    .filter(({ name }) => /(?:metal-(?:[GSh]|7\.)|ipam-g)\d/.test(name));
}

/** Angle brackets stand for values and would be read as tags. */
const cellText = (text: string): string =>
  text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll(/\s+/g, ' ');
