// The query parameters of each kind of request.

import type { Action, Operation } from './operations.ts';

const WRITE = ['dryRun', 'fieldManager', 'fieldValidation'];
const DELETE = [
  'dryRun',
  'gracePeriodSeconds',
  'ignoreStoreReadErrorWithClusterBreakingPotential',
  'orphanDependents',
  'propagationPolicy',
];
const LIST = [
  'allowWatchBookmarks',
  'continue',
  'fieldSelector',
  'labelSelector',
  'limit',
  'resourceVersion',
  'resourceVersionMatch',
  'sendInitialEvents',
  'timeoutSeconds',
  'watch',
];
const SELECT = LIST.filter(name => name !== 'allowWatchBookmarks' && name !== 'watch');

const QUERY: Readonly<Record<Action, readonly string[]>> = {
  get: [],
  connect: [],
  list: LIST,
  post: WRITE,
  put: WRITE,
  patch: [...WRITE, 'force'],
  delete: DELETE,
  deletecollection: [...DELETE, ...SELECT],
};

const NUMBERS = new Set(['limit', 'timeoutSeconds', 'gracePeriodSeconds']);
const FLAGS = new Set([
  'allowWatchBookmarks',
  'sendInitialEvents',
  'watch',
  'force',
  'orphanDependents',
  'ignoreStoreReadErrorWithClusterBreakingPotential',
]);

export interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'path';
  readonly type: 'string' | 'integer' | 'boolean';
}

export const queryOf = ({ action }: Operation): readonly Parameter[] =>
  QUERY[action].toSorted().map(name => ({ name, in: 'query', type: queryType(name) }));

function queryType(name: string): Parameter['type'] {
  if (NUMBERS.has(name)) return 'integer';
  return FLAGS.has(name) ? 'boolean' : 'string';
}

/** What stands in braces in a path, and the one that every request takes. */
export const sharedBy = (path: string): readonly Parameter[] => [
  ...[...path.matchAll(/\{(\w+)\}/g)].map(match => ({ name: match[1] ?? '', in: 'path', type: 'string' }) as const),
  { name: 'pretty', in: 'query', type: 'string' },
];

const APPLY = 'application/apply-patch+yaml';
const PATCHES = ['application/json-patch+json', 'application/merge-patch+json'];

/** In which forms a patch may be sent: a custom kind has no merge keys. */
export const patchTypes = ({ isCustom }: Operation): readonly string[] =>
  isCustom ? [APPLY, ...PATCHES] : [APPLY, ...PATCHES, 'application/strategic-merge-patch+json'];

/** In which forms an object may be answered: a custom kind has no protobuf. */
export const answerTypes = ({ isCustom }: Operation): readonly string[] =>
  isCustom
    ? ['application/json', 'application/yaml']
    : ['application/json', 'application/vnd.kubernetes.protobuf', 'application/yaml'];
