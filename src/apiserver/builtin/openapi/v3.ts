// Documents of OpenAPI v3: one for each group version.

import type { JsonObject, OpenApi, Resource } from '../../parts.ts';
import { REF_PREFIX } from '../schemas.ts';
import { componentsOf } from './components.ts';
import { groupWord, type Operation, operationsOf } from './operations.ts';
import { answerTypes, type Parameter, patchTypes, queryOf, sharedBy } from './parameters.ts';

export const v3: OpenApi['v3'] = (group, version, resources) => {
  const operations = resources.flatMap(operationsOf);
  const word = groupWord({ group });
  const tag = `${word.slice(0, 1).toLowerCase()}${word.slice(1)}_${version}`;
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: '1.36' },
    paths: pathsOf(operations, tag),
    components: {
      schemas: componentsOf(resources as readonly Resource[], operations),
      securitySchemes: { BearerToken: { type: 'apiKey', name: 'authorization', in: 'header' } },
    },
  };
};

function pathsOf(operations: readonly Operation[], tag: string): JsonObject {
  const paths: Record<string, Record<string, JsonObject | readonly JsonObject[]>> = {};
  for (const operation of operations) {
    const item = paths[operation.path] ?? { parameters: sharedBy(operation.path).map(written) };
    item[operation.method] = operationOf(operation, tag);
    paths[operation.path] = item;
  }
  return paths;
}

function operationOf(operation: Operation, tag: string): JsonObject {
  const { id, action, kind, body } = operation;
  const parameters = queryOf(operation).map(written);
  return {
    tags: [tag],
    operationId: id,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: requestOf(operation, body) }),
    responses: { 200: answerOf(operation), 401: { description: 'Unauthorized' } },
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': { ...kind },
  };
}

function written({ name, in: place, type }: Parameter): JsonObject {
  return { name, in: place, ...(place === 'path' ? { required: true } : {}), schema: { type, uniqueItems: true } };
}

function requestOf(operation: Operation, type: string): JsonObject {
  const isPatch = operation.action === 'patch';
  const isDelete = operation.method === 'delete';
  return {
    content: contentOf(isPatch ? patchTypes(operation) : ['*/*'], type),
    ...(isDelete ? {} : { required: true }),
  };
}

function answerOf(operation: Operation): JsonObject {
  const { answer } = operation;
  const content =
    answer === undefined ? { '*/*': { schema: { type: 'string' } } } : contentOf(answerTypes(operation), answer);
  return { description: 'OK', content };
}

const contentOf = (mediaTypes: readonly string[], type: string): JsonObject =>
  Object.fromEntries(mediaTypes.map(mediaType => [mediaType, { schema: { $ref: `${REF_PREFIX}${type}` } }]));
