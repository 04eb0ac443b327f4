// Whether a label selector, as objects carry it, selects a set of labels; and how it reads as one line of text.

/** `metav1.LabelSelector`. */
export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly LabelRequirement[];
}

interface LabelRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

type Labels = Readonly<Record<string, string>>;

/** An empty selector selects everything; an unknown operator nothing. */
export function selects(selector: LabelSelector, labels: Labels): boolean {
  const equal = Object.entries(selector.matchLabels ?? {}).every(([key, value]) => labels[key] === value);
  return equal && (selector.matchExpressions ?? []).every(requirement => holds(requirement, labels[requirement.key]));
}

function holds({ operator, values = [] }: LabelRequirement, actual: string | undefined): boolean {
  if (operator === 'Exists') return actual !== undefined;
  if (operator === 'DoesNotExist') return actual === undefined;
  if (operator === 'In') return actual !== undefined && values.includes(actual);
  return operator === 'NotIn' && (actual === undefined || !values.includes(actual));
}

/** As kubectl's `-l` takes it. */
export function selectorText(selector: LabelSelector): string {
  const equal = Object.entries(selector.matchLabels ?? {}).map(([key, value]) => `${key}=${value}`);
  return [...equal.sort(), ...(selector.matchExpressions ?? []).map(textOf)].join(',');
}

function textOf({ key, operator, values = [] }: LabelRequirement): string {
  if (operator === 'Exists') return key;
  if (operator === 'DoesNotExist') return `!${key}`;
  return `${key} ${operator === 'In' ? 'in' : 'notin'} (${[...values].sort().join(',')})`;
}
