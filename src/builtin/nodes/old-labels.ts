// The labels by which Nodes told their system before 1.14: older selectors go by them, so they follow the newer ones.

const OLD: readonly (readonly [newer: string, older: string])[] = [
  ['kubernetes.io/os', 'beta.kubernetes.io/os'],
  ['kubernetes.io/arch', 'beta.kubernetes.io/arch'],
];

/** Those that must change; undefined: all are right. Of a Node that does not say its system nothing is known. */
export function oldLabels(labels: Readonly<Record<string, string>>): Readonly<Record<string, string>> | undefined {
  const wrong = OLD.flatMap(([newer, older]) => {
    const value = labels[newer];
    return value === undefined || labels[older] === value ? [] : [[older, value] as const];
  });
  return wrong.length === 0 ? undefined : Object.fromEntries(wrong);
}
