// Rule ids in the code lead somewhere: to the safety rules, or to a contract in docs/contracts.

import type { Finding, Rule, Tree } from '../rule.ts';

const SAFETY_RULES = 27;
const CONTRACTS = 'docs/contracts/';

/** `safe-7`, `mac-F23`, `mac-2.3`, `agent-55`, `metal-G2`: as comments cite them. `mac-0` is a machine. */
const ID = /\b(safe|agent|mac|metal|ipam|api|builtin)-([A-Z]?\d+(?:\.\d+)*)\b/g;

/** Names of machines and of the agents on them look like ids. */
const isName = (prefix: string, rest: string): boolean => prefix !== 'safe' && /^0$/.test(rest);

export const citations: Rule = {
  name: 'citations',
  holds: 'a rule id in a comment is a rule of docs/contracts',
  check: tree => {
    const known = knownIds(tree);
    return tree.sources.flatMap(({ path, comments }) =>
      comments.flatMap(({ text, line }) => unknownIn(text, known).map(id => ({ path, line, says: sayUnknown(id) }))),
    );
  },
};

const sayUnknown = (id: string): string =>
  `${id} is in no page of ${CONTRACTS}: cite the rule that is meant, or write it down there first`;

function unknownIn(text: string, known: ReadonlySet<string>): string[] {
  return [...text.matchAll(ID)].flatMap(([id, prefix = '', rest = '']) =>
    isName(prefix, rest) || known.has(id) ? [] : [id],
  );
}

/** The ids that the contracts have, and the safety rules. */
function knownIds({ texts }: Tree): ReadonlySet<string> {
  const safety = Array.from({ length: SAFETY_RULES }, (_, i) => `safe-${i + 1}`);
  const pages = texts.filter(({ path }) => path.startsWith(CONTRACTS));
  return new Set([...safety, ...pages.flatMap(({ text }) => text.match(ID) ?? [])]);
}

/** An id that stands in two pages of the contracts would leave open which one is meant. */
export const contractIds: Rule = {
  name: 'contract-ids',
  holds: 'a contract defines each id once',
  check: ({ texts }) => {
    const first = new Map<string, string>();
    return texts
      .filter(({ path }) => path.startsWith(CONTRACTS))
      .flatMap(({ path, text }) => text.split('\n').flatMap((line, i) => doubleIn(first, path, line, i + 1)));
  },
};

/** A definition is a list item or a table row that starts with the id in bold or in backticks. */
const DEFINITION =
  /^\s*(?:[-*|]\s*)?(?:\*\*|`)((?:safe|agent|mac|metal|ipam|api|builtin)-[A-Z]?\d+(?:\.\d+)*)(?:\*\*|`)/;

function doubleIn(first: Map<string, string>, path: string, text: string, line: number): Finding[] {
  const id = DEFINITION.exec(text)?.[1];
  if (id === undefined) return [];
  const before = first.get(id);
  if (before === undefined) first.set(id, `${path}:${line}`);
  return before === undefined
    ? []
    : [{ path, line, says: `${id} is defined at ${before} too: give this rule the next free id` }];
}
