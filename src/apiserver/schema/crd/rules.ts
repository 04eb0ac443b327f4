// The rules in a CRD's schema: that they are well-formed, compile, and can be told apart from nothing.

import type { FieldError, Json, JsonObject } from '../../parts.ts';
import { isObject, objectAt, stringAt } from '../../rules/json.ts';
import { type Compiled, type CompiledRule, compiledRules } from '../cel/compile.ts';
import { declaredOf } from '../cel/cost/declared.ts';
import { rulePath } from '../cel/field-path.ts';
import { invalid, notSupported, required } from '../field-errors.ts';
import { type RuleText, type Structural, structuralOf } from '../structural.ts';
import { costOf, NO_COST, type RuleCost, TotalCost } from './cost.ts';

const REASONS = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];

interface Place {
  readonly path: string;
  readonly level: 'root' | 'below';
  /** The part around this schema whose values cannot be told from their former selves; undefined: none. */
  readonly uncorrelated: string | undefined;
  /** How often such a value can be there at most; undefined: lists or maps around it have no bound. */
  readonly times: number | undefined;
}

/** What is wrong with the texts of rules, and with what they mean: the second is told where the first is not. */
interface Found {
  readonly texts: readonly FieldError[];
  readonly meaning: readonly FieldError[];
}

/** Of the schema and all below it. Only on one that is structural. */
export function ruleTextErrors(schema: JsonObject, path: string): readonly FieldError[] {
  const total = new TotalCost();
  const found = errorsAt(schema, { path, level: 'root', uncorrelated: undefined, times: 1 }, total);
  return [...found.texts, ...found.meaning, ...total.errors(path)];
}

function errorsAt(schema: JsonObject, place: Place, total: TotalCost): Found {
  const structural = structuralOf(schema);
  if (!structural.hasRules) return { texts: [], meaning: [] };
  const found = below(schema, place).map(([child, at]) => errorsAt(child, at, total));
  const own = structural.rules.flatMap((rule, index) => textErrors(structural, rule, pathOf(place, index)));
  const texts = [...found.flatMap(each => each.texts), ...own];
  // Rules around a broken schema would complain of what is not theirs.
  const meaning = texts.length > 0 ? [] : ownErrors(structural, place, total);
  return { texts, meaning: [...found.flatMap(each => each.meaning), ...meaning] };
}

function below(schema: JsonObject, place: Place): readonly (readonly [JsonObject, Place])[] {
  const { path, uncorrelated, times } = place;
  const most = timesBelow(schema);
  const inside = times === undefined || most === undefined ? undefined : times * most;
  const at = (suffix: string, list = uncorrelated): Place => ({
    path: `${path}.${suffix}`,
    level: 'below',
    uncorrelated: list,
    times: inside,
  });
  const isAtomic = stringAt(schema, 'x-kubernetes-map-type') === 'atomic';
  const properties = Object.entries(objectAt(schema, 'properties')).map(
    ([key, child]) => [child, at(`properties[${key}]`, uncorrelated ?? (isAtomic ? path : undefined))] as const,
  );
  const isMap = stringAt(schema, 'x-kubernetes-list-type') === 'map';
  const rest = [
    [schema.additionalProperties, at('additionalProperties')],
    [schema.items, at('items', uncorrelated ?? (isMap ? undefined : path))],
  ] as const;
  return [...properties, ...rest].flatMap(([child, where]) => (isObject(child) ? [[child, where] as const] : []));
}

/** How many values a value can hold of each of the schemas below it; undefined: any number. */
function timesBelow(schema: JsonObject): number | undefined {
  const bound = (key: string): number | undefined => {
    const most = schema[key];
    return typeof most === 'number' ? Math.max(0, most) : undefined;
  };
  if (schema.type === 'array') return bound('maxItems');
  return schema.type === 'object' && schema.additionalProperties !== undefined ? bound('maxProperties') : 1;
}

function ownErrors(structural: Structural, place: Place, total: TotalCost): readonly FieldError[] {
  if (structural.rules.length === 0) return [];
  const { rules } = compiledRules(structural, place.level);
  const declared = declaredOf(structural, structural.embedded || place.level === 'root' ? 'root' : 'below');
  return rules.flatMap((rule, index) => {
    const path = pathOf(place, index);
    const cost = declared === undefined ? NO_COST : costOf(rule, declared, place.times);
    return compiledErrors(rule, place, { path, cost, total });
  });
}

const pathOf = ({ path }: Place, index: number): string => `${path}.x-kubernetes-validations[${index}]`;

function textErrors(structural: Structural, text: RuleText, path: string): readonly FieldError[] {
  return [
    ...ruleAndMessageErrors(text, path),
    ...(text.messageExpression !== '' && text.messageExpression.trim() === ''
      ? [required(`${path}.messageExpression`, 'messageExpression must be non-empty if specified')]
      : []),
    ...(text.reason !== '' && !REASONS.includes(text.reason)
      ? [notSupported(`${path}.reason`, text.reason, REASONS)]
      : []),
    ...(rulePath(structural, text.fieldPath) === undefined
      ? [invalid(`${path}.fieldPath`, text.fieldPath, 'must be a valid path')]
      : []),
  ];
}

function ruleAndMessageErrors({ rule, message }: RuleText, path: string): readonly FieldError[] {
  const [trimmedRule, trimmedMessage] = [rule.trim(), message.trim()];
  if (trimmedRule === '') return [required(`${path}.rule`, 'rule is not specified')];
  if (message !== '' && trimmedMessage === '')
    return [invalid(`${path}.message`, message, 'must be non-empty if specified')];
  if (/[\n\r]/.test(trimmedMessage)) return [invalid(`${path}.message`, message, 'must not contain line breaks')];
  if (/[\n\r]/.test(trimmedRule) && trimmedMessage === '') {
    return [required(`${path}.message`, 'message must be specified if rule contains line breaks')];
  }
  return [];
}

interface Judged {
  readonly path: string;
  readonly cost: RuleCost;
  readonly total: TotalCost;
}

function compiledErrors(
  { text, rule, message }: CompiledRule,
  place: Place,
  { path, cost, total }: Judged,
): readonly FieldError[] {
  return [
    ...total.add(`${path}.rule`, 'rule', cost.rule),
    ...problemOf(rule, `${path}.rule`, text),
    ...(message === undefined ? [] : problemOf(message, `${path}.messageExpression`, text)),
    ...total.add(`${path}.messageExpression`, 'messageExpression', cost.message),
    ...oldSelfErrors({ text, rule }, place, path),
  ];
}

function problemOf(compiled: Compiled, path: string, text: RuleText): readonly FieldError[] {
  return 'problem' in compiled ? [invalid(path, shown(text), compiled.problem)] : [];
}

/** The rule as kube-apiserver shows it here: its own struct, absent parts included. */
const shown = ({ rule, message, messageExpression, reason, fieldPath, optionalOldSelf }: RuleText): Json => ({
  Rule: rule,
  Message: message,
  MessageExpression: messageExpression,
  Reason: reason === '' ? null : reason,
  FieldPath: fieldPath,
  OptionalOldSelf: optionalOldSelf ?? null,
});

function oldSelfErrors(
  { text, rule }: Pick<CompiledRule, 'text' | 'rule'>,
  place: Place,
  path: string,
): readonly FieldError[] {
  if ('problem' in rule) return [];
  if (rule.program.usesOldSelf) {
    if (place.uncorrelated === undefined) return [];
    const why = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${place.uncorrelated}`;
    return [invalid(`${path}.rule`, text.rule, why)];
  }
  if (text.optionalOldSelf === undefined) return [];
  return [invalid(`${path}.optionalOldSelf`, text.optionalOldSelf, 'may not be set if oldSelf is not used in rule')];
}
