// Faults in lists, pages, selectors and watches, and in the store below them.

import type { ApiMutant } from './mutant.ts';

const STORE = ['src/apiserver/store-memory.test.ts', 'src/apiserver/store/store.property.test.ts'];

export const reading: readonly ApiMutant[] = [
  {
    name: 'of two writes over the same version both are taken',
    file: 'src/apiserver/store/journal.ts',
    line: 'if ((current?.revision ?? 0) !== write.expected) return this.#conflict(write);',
    instead: '',
    caughtBy: STORE,
  },
  {
    name: 'a list of one Namespace shows those whose names begin alike',
    file: 'src/apiserver/store/rows.ts',
    line: "options.namespace === undefined ? '' :",
    instead: "true ? (options.namespace ?? '') :",
    caughtBy: STORE,
  },
  {
    name: 'each page begins with the last object of the page before',
    file: 'src/apiserver/store/rows.ts',
    line: 'options.after === undefined ? prefix :',
    instead: 'true ? (options.after ?? prefix) :',
    group: 'reading',
    cases: ['pages say how many remain, and the last one has no token'],
  },
  {
    name: 'later pages show what was written since the first one',
    file: 'src/apiserver/verbs/read.ts',
    line: 'return token.revision < 0 ? { after } : { after, at: token.revision };',
    instead: 'return { after };',
    group: 'reading',
    cases: ['pages show the state of the first one while writes go on'],
  },
  {
    name: 'a list at a version shows the state before the last change instead of the one asked for',
    file: 'src/apiserver/store/rows.ts',
    line: 'if (isWanted(key)) states.set(key, change.previous);',
    instead: 'if (isWanted(key) && !states.has(key)) states.set(key, change.previous);',
    caughtBy: STORE,
  },
  {
    name: 'an object that leaves the selection of a watch is told as changed, and stays in every cache',
    file: 'src/apiserver/verbs/watch-stream.ts',
    line: "return this.#shared('DELETED', change.type",
    instead: "return this.#shared(change.type === 'deleted' ? 'DELETED' : 'MODIFIED', change.type",
    group: 'reading',
    cases: ['an object enters a watch when its labels come to be selected'],
  },
  {
    name: 'a watch of one Namespace hears of all',
    file: 'src/apiserver/verbs/watch-stream.ts',
    line: "(namespace !== '' && row.namespace !== namespace)",
    instead: '(false)',
    group: 'reading',
    cases: ['a watch of another Namespace hears nothing of this one'],
  },
  {
    name: 'a watch that fell behind ends without a word of what it missed',
    file: 'src/apiserver/verbs/watch-stream.ts',
    line: "if (change === 'gone') return this.#fellBehind();",
    instead: "if (change === 'gone') return void this.close('gone');",
    caughtBy: ['src/apiserver/verbs/watch.test.ts'],
  },
  {
    name: 'notin selects only what has the label',
    file: 'src/apiserver/request/label-selector.ts',
    line: 'return !present || !values.includes(value);',
    instead: 'return present && !values.includes(value);',
    group: 'reading',
    cases: ['labels are selected by equality, sets and existence'],
  },
  {
    name: 'a token leads out of its collection',
    file: 'src/apiserver/request/continue-token.ts',
    line: "if (key === '' || key.split('/').some(part => part === '' || part === '.' || part === '..')) return start;",
    instead: '',
    group: 'reading',
    cases: ['a token that points out of its collection is refused'],
  },
  {
    name: 'a write is acknowledged before it is on the disk',
    file: 'src/adapters/sqlite/journal.ts',
    line: "db.exec('COMMIT');",
    instead: "setImmediate(() => db.exec('COMMIT'));",
    caughtBy: ['src/adapters/sqlite/store.test.ts'],
  },
  {
    name: 'after a failed write the store goes on in memory alone',
    file: 'src/apiserver/store/journal.ts',
    line: 'this.#closed = messageOf(error);',
    instead: '',
    caughtBy: ['src/adapters/sqlite/store.test.ts'],
  },
];
