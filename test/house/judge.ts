// Findings against exemptions: an exemption is a counted number that may only fall.

import type { Finding, Rule, Tree } from './rule.ts';

/** Rule name, then path, then how many findings are still allowed there. */
export type Exemptions = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** What is wrong, as lines to read. Empty: the rule holds. */
export function judge(rule: Rule, tree: Tree, exemptions: Exemptions): string[] {
  const allowed = exemptions[rule.name] ?? {};
  const found = Map.groupBy(rule.check(tree), ({ path }) => path);
  const over = [...found].flatMap(([path, findings]) =>
    findings.length > (allowed[path] ?? 0) ? findings.map(lineOf) : [],
  );
  const stale = Object.entries(allowed).flatMap(([path, count]) =>
    staleLine(rule, path, count, found.get(path)?.length ?? 0),
  );
  return [...over, ...stale];
}

const lineOf = ({ path, line, says }: Finding): string => `${path}:${line} ${says}`;

function staleLine({ name }: Rule, path: string, count: number, actual: number): string[] {
  if (actual >= count) return [];
  return [`test/house/exemptions.json: "${name}" allows ${count} in ${path}, ${actual} are left: lower the number`];
}
