// Rule ids in the code lead somewhere: to the safety rules, or to a contract in docs/contracts.

import type { Finding, Rule, Tree } from '../rule.ts';

const SAFETY_RULES = 27;
const CONTRACTS = 'docs/contracts/';

/** Prefixes that are held although no page defines them yet; a page that defines `ipam-1` adds its own. */
const PREFIXES = ['safe', 'agent', 'mac', 'metal', 'ipam'];

/** `safe-7`, `mac-F23`, `mac-2.3`, `agent-55`, `metal-G2`. */
const ID = /\b([a-z]+)-([A-Z]?\d+(?:\.\d+)*)\b/g;

/** A definition is a list item, a table row or a heading that starts with the id in bold or in backticks. */
const DEFINITION = /^\s*(?:[-*|]\s+|#+\s+)?(?:\*\*|`)([a-z]+-[A-Z]?\d+(?:\.\d+)*)(?:\*\*|`)/;

interface Definition {
  readonly id: string;
  readonly path: string;
  readonly line: number;
}

function definitionsIn({ texts }: Tree): Definition[] {
  const pages = texts.filter(({ path }) => path.startsWith(CONTRACTS));
  return pages.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, i) => {
      const id = DEFINITION.exec(line)?.[1];
      return id === undefined ? [] : [{ id, path, line: i + 1 }];
    }),
  );
}

export const citations: Rule = {
  name: 'citations',
  holds: 'a rule id in a comment or a contract is a rule of docs/contracts',
  check: tree => {
    const safety = Array.from({ length: SAFETY_RULES }, (_, i) => `safe-${i + 1}`);
    const known = new Set([...safety, ...definitionsIn(tree).map(({ id }) => id)]);
    const prefixes = new Set([...PREFIXES, ...[...known].map(id => id.slice(0, id.lastIndexOf('-')))]);
    return citedIn(tree).flatMap(({ path, line, text }) =>
      idsIn(text, prefixes).flatMap(id => (known.has(id) ? [] : [{ path, line, says: sayUnknown(id) }])),
    );
  },
};

const sayUnknown = (id: string): string =>
  `${id} is no rule of ${CONTRACTS}: cite the rule that is meant, or write it down there first`;

interface Line {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

/** Comments of the program, and the contracts themselves. The samples of the house rules cite what is not there. */
function citedIn({ sources, texts }: Tree): Line[] {
  const program = sources.filter(({ path }) => !path.startsWith('test/house/'));
  const comments = program.flatMap(({ path, comments: all }) => all.map(({ text, line }) => ({ path, line, text })));
  const pages = texts.filter(({ path }) => path.startsWith(CONTRACTS));
  return [
    ...comments,
    ...pages.flatMap(({ path, text }) => text.split('\n').map((line, i) => ({ path, line: i + 1, text: line }))),
  ];
}

/** `mac-0` is a machine's name, and so is what is quoted like one. */
function idsIn(text: string, prefixes: ReadonlySet<string>): string[] {
  return [...text.matchAll(ID)].flatMap(([id, prefix = '', rest]) =>
    prefixes.has(prefix) && rest !== '0' ? [id] : [],
  );
}

export const contractIds: Rule = {
  name: 'contract-ids',
  holds: 'a contract defines each id once',
  check: tree => {
    const first = new Map<string, Definition>();
    return definitionsIn(tree).flatMap((definition): Finding[] => {
      const { id, path, line } = definition;
      const before = first.get(id);
      if (before === undefined) first.set(id, definition);
      const says = `${id} is defined at ${before?.path}:${before?.line} too: give this rule the next free id`;
      return before === undefined ? [] : [{ path, line, says }];
    });
  },
};
