// Faults in what a patch makes of an object, and in the forms in which objects are read and shown.

import type { ApiMutant } from './mutant.ts';

export const forming: readonly ApiMutant[] = [
  {
    name: 'null in a merge patch stays as null',
    file: 'src/apiserver/verbs/merge-patch.ts',
    line: 'if (value === null) delete merged[key];',
    instead: 'if (value === null && !(key in merged)) delete merged[key];',
    group: 'patching',
    cases: ['a merge patch sets keys and null removes them'],
  },
  {
    name: '$patch delete leaves the container',
    file: 'src/apiserver/builtin/strategic/merge.ts',
    line: 'return live.filter(item => !(isObject(item) && deleted.includes(item[key] ?? null)));',
    instead: 'return deleted.length > live.length ? [] : live;',
    group: 'patching',
    cases: ['a container is deleted by its key'],
  },
  {
    name: 'an apply overwrites what another owns',
    file: 'src/apiserver/builtin/ownership/apply.ts',
    line: 'if (disputes.length > 0 && !force)',
    instead: 'if (disputes.length > 1 && !force)',
    group: 'patching',
    cases: ['another value for an owned field conflicts, and names the owner'],
  },
  {
    name: 'an apply removes what another still states',
    file: 'src/apiserver/builtin/ownership/apply.ts',
    line: 'union(stated, statedBy(others))',
    instead: 'stated',
    group: 'patching',
    cases: ['a field that two share stays until both leave it out'],
  },
  {
    name: 'a forced apply leaves the other owner its claim',
    file: 'src/apiserver/builtin/ownership/apply.ts',
    line: '[...afterChange(others, change).values(), { ...own, time }]',
    instead: '[...others.values(), { ...own, time }]',
    group: 'patching',
    cases: ['a forced apply takes the field over'],
  },
  {
    name: 'a negative number comes out of protobuf huge',
    file: 'src/apiserver/builtin/protobuf/reader.ts',
    line: 'const whole = BigInt.asIntN(64, this.bigint());',
    instead: 'const whole = this.bigint();',
    caughtBy: ['src/apiserver/builtin/protobuf/codec.test.ts'],
  },
  {
    name: 'a length in protobuf reaches past the end of its message',
    file: 'src/apiserver/builtin/protobuf/reader.ts',
    line: "if (count > this.#end - start) throw new Error('unexpected EOF');",
    instead: "if (count > this.#bytes.length) throw new Error('unexpected EOF');",
    group: 'formats',
    cases: ['a message that breaks off is refused'],
  },
  {
    name: 'the microseconds of a Lease get lost in protobuf',
    file: 'src/apiserver/builtin/protobuf/encode.ts',
    line: 'writeInteger(writer, 2, micros * 1000);',
    instead: 'writeInteger(writer, 2, 0);',
    group: 'formats',
    cases: ['a Lease is renewed on the wire', 'Lease of /apis/coordination'],
  },
  {
    name: 'kubectl shows Pods as ready that are not',
    file: 'src/apiserver/builtin/print/pods.ts',
    line: 'const ready = statuses.filter(isReady).length;',
    instead: 'const ready = statuses.length;',
    caughtBy: ['src/apiserver/builtin/print/printer.test.ts'],
  },
];
