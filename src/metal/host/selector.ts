// Which hosts a machine allows: its hostSelector, as upstream reads it (operators in any case), refused where it is no selector.

import { defineError } from '../../base/errors.ts';
import type { BareMetalHost } from '../../kinds/generated/bare-metal-host.generated.ts';
import type { Metal3Machine, Metal3MachineSpec } from '../../kinds/generated/metal3-machine.generated.ts';

type Labels = Readonly<Record<string, string>>;
type Allows = (labels: Labels) => boolean;
type HostSelector = NonNullable<Metal3MachineSpec['hostSelector']>;
type Requirement = NonNullable<HostSelector['matchExpressions']>[number];

const badSelector = defineError('PIPPIN_E_METAL_HOST_SELECTOR', {
  retry: 'never',
  remedy: 'Write an operator of labels: In, NotIn, Exists, DoesNotExist, Gt or Lt, with the values it takes',
  says: (at: string, why: string) => `spec.hostSelector.matchExpressions[${at}]: ${why}`,
});

/** Throws where the selector says nothing that can be asked of a label. */
export function hostSelectorOf({ spec }: Metal3Machine): (host: BareMetalHost) => boolean {
  const { matchLabels = {}, matchExpressions = [] } = spec?.hostSelector ?? {};
  const equal = Object.entries(matchLabels).map(
    ([key, value]): Allows =>
      labels =>
        labels[key] === value,
  );
  const all = [...equal, ...matchExpressions.map(requirementOf)];
  return ({ metadata: { labels = {} } }) => all.every(allows => allows(labels));
}

function requirementOf(requirement: Requirement, at: number): Allows {
  const { key, operator } = requirement;
  const make = OPERATORS[operator.toLowerCase()];
  if (make === undefined) throw badSelector(`${at}`, `"${operator}" of label ${key} is no operator`);
  return make(requirement, `${at}`);
}

/** By upstream's spelling in lower case; the signs are what its library also takes. */
const OPERATORS: Readonly<Record<string, (requirement: Requirement, at: string) => Allows>> = {
  in: oneOf,
  '=': exactly,
  '==': exactly,
  notin: noneOf,
  '!=': noneOf,
  exists: present,
  '!': absent,
  doesnotexist: absent,
  gt: (requirement, at) => compared(requirement, at, (label, bound) => label > bound),
  lt: (requirement, at) => compared(requirement, at, (label, bound) => label < bound),
};

function oneOf({ key, values }: Requirement, at: string): Allows {
  if (values.length === 0) throw badSelector(at, `"in" of label ${key} takes at least one value`);
  return labels => values.includes(labels[key] ?? '') && key in labels;
}

function exactly(requirement: Requirement, at: string): Allows {
  if (requirement.values.length !== 1) throw badSelector(at, `"=" of label ${requirement.key} takes one value`);
  return oneOf(requirement, at);
}

function noneOf({ key, values }: Requirement, at: string): Allows {
  if (values.length === 0) throw badSelector(at, `"notin" of label ${key} takes at least one value`);
  return labels => !(key in labels && values.includes(labels[key] ?? ''));
}

function present({ key, values }: Requirement, at: string): Allows {
  if (values.length > 0) throw badSelector(at, `"exists" of label ${key} takes no value`);
  return labels => key in labels;
}

function absent({ key, values }: Requirement, at: string): Allows {
  if (values.length > 0) throw badSelector(at, `"!" of label ${key} takes no value`);
  return labels => !(key in labels);
}

function compared({ key, values }: Requirement, at: string, holds: (label: number, bound: number) => boolean): Allows {
  const [value = ''] = values;
  if (values.length !== 1 || !isInteger(value)) throw badSelector(at, `label ${key} is compared with one whole number`);
  return labels => isInteger(labels[key] ?? '') && holds(Number(labels[key]), Number(value));
}

const isInteger = (text: string): boolean => /^[+-]?\d+$/.test(text);
