// The rules in a CRD's schema: that they are well-formed, compile, and can be told apart from nothing.

import type { FieldError, Json, JsonObject } from '../../parts.ts';
import { isObject, objectAt, stringAt } from '../../rules/json.ts';
import { type Compiled, type CompiledRule, compiledRules } from '../cel/compile.ts';
import { rulePath } from '../cel/field-path.ts';
import { invalid, notSupported, required } from '../field-errors.ts';
import { type RuleText, type Structural, structuralOf } from '../structural.ts';

const REASONS = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];

interface Place {
  readonly path: string;
  readonly level: 'root' | 'below';
  /** The list around this schema whose items cannot be told from each other; undefined: none. */
  readonly uncorrelated: string | undefined;
}

/** Of the schema and all below it. Only on one that is structural. */
export function ruleTextErrors(schema: JsonObject, path: string): readonly FieldError[] {
  return errorsAt(schema, { path, level: 'root', uncorrelated: undefined });
}

function errorsAt(schema: JsonObject, place: Place): readonly FieldError[] {
  const structural = structuralOf(schema);
  if (!structural.hasRules) return [];
  return [...ownErrors(structural, place), ...below(schema, place).flatMap(([child, at]) => errorsAt(child, at))];
}

function below(schema: JsonObject, { path, uncorrelated }: Place): readonly (readonly [JsonObject, Place])[] {
  const at = (suffix: string, list = uncorrelated): Place => ({
    path: `${path}.${suffix}`,
    level: 'below',
    uncorrelated: list,
  });
  const properties = Object.entries(objectAt(schema, 'properties')).map(
    ([key, child]) => [child, at(`properties[${key}]`)] as const,
  );
  const isMap = stringAt(schema, 'x-kubernetes-list-type') === 'map';
  const rest = [
    [schema.additionalProperties, at('additionalProperties')],
    [schema.items, at('items', uncorrelated ?? (isMap ? undefined : path))],
  ] as const;
  return [...properties, ...rest].flatMap(([child, where]) => (isObject(child) ? [[child, where] as const] : []));
}

function ownErrors(structural: Structural, place: Place): readonly FieldError[] {
  if (structural.rules.length === 0) return [];
  const texts = structural.rules.flatMap((rule, index) => textErrors(structural, rule, pathOf(place, index)));
  if (texts.length > 0) return texts;
  const { rules } = compiledRules(structural, place.level);
  return rules.flatMap((rule, index) => compiledErrors(rule, place, pathOf(place, index)));
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

function compiledErrors({ text, rule, message }: CompiledRule, place: Place, path: string): readonly FieldError[] {
  return [
    ...problemOf(rule, `${path}.rule`, text),
    ...(message === undefined ? [] : problemOf(message, `${path}.messageExpression`, text)),
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
