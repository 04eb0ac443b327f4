// What flow schemas must be: whose requests, for what, and at which level they wait.

import type { Json, JsonObject } from '../../parts.ts';
import { duplicate, forbidden, invalid, notSupported, required } from '../../schema/field-errors.ts';
import { isObject, listAt, numberAt, objectAt, objectsAt, textAt } from '../json.ts';
import { NONE } from './fields.ts';
import { type Errors, labelErrors, labelProblems, subdomainErrors } from './texts.ts';

const MAX_PRECEDENCE = 10_000;
const METHODS = ['ByNamespace', 'ByUser'];

export function flowSchemaErrors(schema: JsonObject, _old: JsonObject | undefined, part: string): Errors {
  if (part === 'status') return flowStatusErrors(schema);
  const spec = objectAt(schema, 'spec');
  const precedence = numberAt(spec, 'matchingPrecedence') ?? 1;
  const at = 'spec.matchingPrecedence';
  const name = textAt(objectAt(schema, 'metadata'), 'name');
  const first = "only the schema named 'exempt' may have matchingPrecedence 1";
  return [
    ...(spec.matchingPrecedence === 1 && name !== 'exempt' ? [invalid(at, precedence, first)] : NONE),
    ...(precedence <= 0 ? [invalid(at, precedence, 'must be a positive value')] : NONE),
    ...(precedence > MAX_PRECEDENCE ? [invalid(at, precedence, `must not be greater than ${MAX_PRECEDENCE}`)] : NONE),
    ...methodErrors('spec.distinguisherMethod.type', spec.distinguisherMethod),
    ...levelErrors(
      'spec.priorityLevelConfiguration.name',
      textAt(objectAt(spec, 'priorityLevelConfiguration'), 'name'),
    ),
    ...objectsAt(spec, 'rules').flatMap((rule, index) => ruleErrors(`spec.rules[${index}]`, rule)),
  ];
}

/** Conditions have names, and each is said once; those of priority levels too. */
export function flowStatusErrors(object: JsonObject): Errors {
  const seen = new Set<string>();
  return objectsAt(objectAt(object, 'status'), 'conditions').flatMap((condition, index) => {
    const [path, type] = [`status.conditions[${index}].type`, textAt(condition, 'type')];
    const isTwice = seen.has(type);
    seen.add(type);
    return [...(isTwice ? [duplicate(path, type)] : NONE), ...(type === '' ? [required(path)] : NONE)];
  });
}

function methodErrors(path: string, method: Json | undefined): Errors {
  if (!isObject(method) || METHODS.includes(textAt(method, 'type'))) return NONE;
  return [notSupported(path, { Type: textAt(method, 'type') }, METHODS)];
}

function levelErrors(path: string, name: string): Errors {
  return name === '' ? [required(path, 'must reference a priority level')] : subdomainErrors(path, name);
}

function ruleErrors(path: string, rule: JsonObject): Errors {
  const isEmpty = (key: string): boolean => listAt(rule, key).length === 0;
  const oneOf = 'at least one of resourceRules and nonResourceRules has to be non-empty';
  return [
    ...(isEmpty('subjects') ? [required(`${path}.subjects`, 'subjects must contain at least one value')] : NONE),
    ...objectsAt(rule, 'subjects').flatMap((each, index) => subjectErrors(`${path}.subjects[${index}]`, each)),
    ...(isEmpty('resourceRules') && isEmpty('nonResourceRules') ? [required(path, oneOf)] : NONE),
    ...objectsAt(rule, 'resourceRules').flatMap((each, index) =>
      resourceErrors(`${path}.resourceRules[${index}]`, each),
    ),
    ...objectsAt(rule, 'nonResourceRules').flatMap((each, index) =>
      urlErrors(`${path}.nonResourceRules[${index}]`, each),
    ),
  ];
}

interface Kind {
  readonly key: string;
  /** What a subject of this kind does not say, in the order in which it is told. */
  readonly others: readonly string[];
}

const KINDS: Readonly<Record<string, Kind>> = {
  Group: { key: 'group', others: ['serviceAccount', 'user'] },
  ServiceAccount: { key: 'serviceAccount', others: ['user', 'group'] },
  User: { key: 'user', others: ['serviceAccount', 'group'] },
};

const kindOf = (key: string): string => Object.keys(KINDS).find(kind => KINDS[kind]?.key === key) ?? '';

function subjectErrors(path: string, subject: JsonObject): Errors {
  const name = textAt(subject, 'kind');
  const kind = KINDS[name];
  if (kind === undefined) return [notSupported(`${path}.kind`, name, Object.keys(KINDS))];
  const { key, others } = kind;
  const of = subject[key];
  return [
    ...(isObject(of)
      ? namedErrors(`${path}.${key}`, of, key)
      : [required(`${path}.${key}`, `${key} is required when subject kind is '${name}'`)]),
    ...others
      .filter(other => isObject(subject[other]))
      .map(other => forbidden(`${path}.${other}`, `${other} is forbidden when subject kind is not '${kindOf(other)}'`)),
  ];
}

function namedErrors(path: string, subject: JsonObject, key: string): Errors {
  const name = textAt(subject, 'name');
  const nameless = name === '' ? [required(`${path}.name`)] : NONE;
  if (key !== 'serviceAccount') return nameless;
  const namespace = textAt(subject, 'namespace');
  return [
    ...nameless,
    ...(name === '' || name === '*' ? NONE : subdomainErrors(`${path}.name`, name)),
    ...(namespace === ''
      ? [required(`${path}.namespace`, 'must specify namespace for service account')]
      : labelErrors(`${path}.namespace`, namespace)),
  ];
}

const VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'proxy', 'update', 'watch'];

function resourceErrors(path: string, rule: JsonObject): Errors {
  const namespaces = listAt(rule, 'namespaces').map(String);
  const unscoped = 'resource rules that are not cluster scoped must supply at least one namespace';
  return [
    ...listErrors(`${path}.verbs`, rule.verbs, {
      what: 'verbs',
      none: 'verbs must contain at least one value',
      of: VERBS,
    }),
    ...listErrors(`${path}.apiGroups`, rule.apiGroups, {
      what: 'api groups',
      none: 'resource rules must supply at least one api group',
    }),
    ...listErrors(`${path}.resources`, rule.resources, {
      what: 'resources',
      none: 'resource rules must supply at least one resource',
    }),
    ...(namespaces.length === 0 && rule.clusterScope !== true ? [required(`${path}.namespaces`, unscoped)] : NONE),
    ...(namespaces.includes('*')
      ? listErrors(`${path}.namespaces`, namespaces, { what: 'namespaces', none: '' })
      : namespaces.flatMap((name, index) => namespaceErrors(`${path}.namespaces[${index}]`, name))),
  ];
}

const namespaceErrors = (path: string, name: string): Errors =>
  labelProblems(name).map(why =>
    invalid(path, name, `each member of this list must be '*' or a DNS-1123 label; ${why}`),
  );

interface ListRule {
  readonly what: string;
  /** What is said of an empty list. */
  readonly none: string;
  readonly of?: readonly string[];
}

/** Everything stands alone. */
function listErrors(path: string, list: Json | undefined, { what, none, of }: ListRule): Errors {
  const values = listAt({ list: list ?? null }, 'list');
  if (values.length === 0) return [required(path, none)];
  const only = `if '*' is present, must not specify other ${what}`;
  if (values.includes('*')) return values.length === 1 ? NONE : [invalid(path, values, only)];
  const isKnown = of === undefined || values.every(value => of.includes(String(value)));
  return isKnown ? NONE : [notSupported(path, values, of)];
}

function urlErrors(path: string, rule: JsonObject): Errors {
  const urls = listAt(rule, 'nonResourceURLs').map(String);
  const [at, none] = [`${path}.nonResourceURLs`, 'nonResourceURLs must contain at least one value'];
  return [
    ...listErrors(`${path}.verbs`, rule.verbs, { what: 'verbs', none: 'verbs must contain at least one value' }),
    ...(urls.length === 0 || urls.includes('*')
      ? listErrors(at, urls, { what: 'non-resource URLs', none })
      : urls.flatMap((url, index) => pathErrors(`${at}[${index}]`, url))),
  ];
}

/** Why a path is none, or matches nothing. */
const PATH_PROBLEMS: readonly (readonly [is: (url: string) => boolean, why: string])[] = [
  [url => url === '', 'must not be empty'],
  [url => !url.startsWith('/'), 'must start with slash'],
  [url => url.includes(' '), 'must not contain white-space'],
  [url => url.includes('//'), 'must not contain double slash'],
  [url => url.replace(/\/\*$/, '').includes('*'), 'wildcard can only do suffix matching'],
];

function pathErrors(path: string, url: string): Errors {
  const problem = PATH_PROBLEMS.find(([is]) => is(url));
  return problem === undefined ? NONE : [invalid(path, url, problem[1])];
}
