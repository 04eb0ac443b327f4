// Faults that we fear most, each as one changed line of our own code, and the tests that must notice.

export interface Mutant {
  readonly name: string;
  readonly file: string;
  /** Text that stands in the file exactly once. */
  readonly line: string;
  readonly instead: string;
  /** Test files, one of which must fail. */
  readonly caughtBy: readonly string[];
  /** Of their tests only those whose names match this. */
  readonly named?: string;
}

const PODS = ['test/deletion/vm-gone.test.ts', 'test/deletion/release-pods.test.ts'];

export const mutants: readonly Mutant[] = [
  {
    name: 'forbidden counts as absent',
    file: 'src/kube/errors.ts',
    line: "export const isNotFound = reasonIs('NotFound');",
    instead: "export const isNotFound = (error) => reasonIs('NotFound')(error) || reasonIs('Forbidden')(error);",
    caughtBy: PODS,
  },
  {
    name: 'no resourceVersion lock',
    file: 'src/kube/finalizers.ts',
    line: 'metadata: { ...metadata, uid, resourceVersion }',
    instead: 'metadata: { ...metadata, uid }',
    caughtBy: PODS,
  },
  {
    name: 'strip before delete',
    file: 'src/mac/pods/release-pods.ts',
    line: 'const ended = await endPod(pod, world);',
    instead: 'const ended = pod;',
    caughtBy: PODS,
  },
  {
    name: 'name instead of id',
    file: 'src/mac/pods/binding.ts',
    line: 'if (released?.hostId === hostId &&',
    instead: 'if (released !== undefined && machine.metadata.name === pod.spec.nodeName &&',
    caughtBy: PODS,
  },
  {
    name: 'swallowed write error',
    file: 'src/mac/pods/end.ts',
    line: 'if (!isConflict(error)) throw error;',
    instead: 'return true;',
    caughtBy: PODS,
  },
  {
    name: 'an old record frees a new Pod',
    file: 'src/mac/pods/binding.ts',
    line: 'millisOf(released.time) >= since',
    instead: 'since > 0',
    caughtBy: PODS,
  },
  {
    name: 'one absent answer is enough',
    file: 'src/deletion/proof.ts',
    line: 'export const READS_APART_MS = 5_000;',
    instead: 'export const READS_APART_MS = 0;',
    caughtBy: PODS,
  },
  {
    name: 'a 404 counts with any credentials',
    file: 'src/mac/pods/cloud-witness.ts',
    line: 'another ||= ours.length > 0;',
    instead: 'another = true;',
    caughtBy: PODS,
  },
  {
    name: 'unknown breaks no pair of answers',
    file: 'src/deletion/journal.ts',
    line: '      this.#first.delete(subject);\n      return {',
    instead: '      return {',
    caughtBy: PODS,
  },
  {
    name: 'a host that is back is let go',
    file: 'src/mac/pods/release-pods.ts',
    line: "if (seen.kind === 'present' && seen.value.name === nodeName) return undefined;",
    instead: '',
    caughtBy: PODS,
  },
  {
    name: 'unstamped Pods go while their Node is there',
    file: 'src/mac/pods/release-pods.ts',
    line: "return node === 'node absent' && ",
    instead: 'return ',
    caughtBy: PODS,
  },
  {
    name: 'an empty view of the cluster is a view',
    file: 'src/mac/pods/unrecorded-host.ts',
    line: 'if (items.length === 0) return',
    instead: 'if (items.length < 0) return',
    caughtBy: PODS,
  },
  {
    name: "an agent lets go of another host's Pod",
    file: 'src/agent/pod/ownership.ts',
    line: "return stamp === facts.hostId ? 'ours' : 'replaced';",
    instead: "return 'ours';",
    caughtBy: ['src/agent/pod/ownership.test.ts'],
  },
  {
    name: 'the finalizer comes after the first write',
    file: 'src/kube/step-pass.ts',
    line: 'if (deletion !== undefined && !hasFinalizer(this.draft.current, deletion.finalizer)) {',
    instead: 'if (deletion !== undefined && isDeleting(this.draft.current)) {',
    caughtBy: ['src/kube/run-deletion.test.ts'],
  },
  {
    name: 'the release of an earlier use counts',
    file: 'src/mac/machine/release.ts',
    line: 'millisOf(released.time) > millisOf(adopted.time)',
    instead: 'released.time > ""',
    caughtBy: ['test/mac/give-back.test.ts'],
  },
  ...['S1-machine', 'S5-template-last', 'S20-in-and-out'].map(scenario => ({
    name: `addresses go before the host is off: ${scenario}`,
    file: 'src/metal/machine/deletion.ts',
    line: "  ['ReleaseHost', releaseHosts],\n  ['ReleaseClaim', releaseClaim],",
    instead: "  ['ReleaseClaim', releaseClaim],\n  ['ReleaseHost', releaseHosts],",
    caughtBy: ['test/faults/metal/explore.test.ts'],
    named: `${scenario}\\): (?!the same)`,
  })),
];
