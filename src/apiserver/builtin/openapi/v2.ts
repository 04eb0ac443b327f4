// The document of OpenAPI v2: one for everything that is served.

import type { Json, JsonObject, OpenApi, Resource } from '../../parts.ts';
import { isList, isObject, objectAt } from '../json.ts';
import { REF_PREFIX } from '../schemas.ts';
import { componentsOf } from './components.ts';
import { forV2 } from './custom.ts';
import { groupWord, type Operation, operationsOf } from './operations.ts';
import { answerTypes, type Parameter, patchTypes, queryOf, sharedBy } from './parameters.ts';
import { encodeDocument } from './v2-protobuf.ts';

const V2_PREFIX = '#/definitions/';
const encoder = new TextEncoder();

export const v2: OpenApi['v2'] = (resources, form) => {
  const document = documentOf(resources);
  return form === 'protobuf' ? encodeDocument(document) : encoder.encode(JSON.stringify(document));
};

function documentOf(resources: readonly Resource[]): JsonObject {
  const operations = resources.flatMap(operationsOf);
  const definitions = Object.entries(componentsOf(resources, operations)).map(
    ([name, schema]) => [name, definitionOf(schema)] as const,
  );
  return {
    swagger: '2.0',
    info: { title: 'Kubernetes', version: '1.36' },
    paths: pathsOf(resources),
    definitions: Object.fromEntries(definitions),
    securityDefinitions: { BearerToken: { type: 'apiKey', name: 'authorization', in: 'header' } },
    security: [{ BearerToken: [] }],
  };
}

/** A reference stands alone in version 2, and a value of several types is a string. */
function definitionOf(schema: JsonObject): JsonObject {
  const moved = moveReferences(Array.isArray(schema.oneOf) ? { ...schema, oneOf: [], type: 'string' } : schema);
  return isObject(moved) ? forV2(moved) : {};
}

function moveReferences(value: Json): Json {
  if (isList(value)) return value.map(moveReferences);
  if (!isObject(value)) return value;
  const target = objectAt({ only: isList(value.allOf) ? (value.allOf[0] ?? null) : value }, 'only').$ref;
  if (typeof target === 'string' && target.startsWith(REF_PREFIX)) return referenceFrom(value, target);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, moveReferences(inner)]));
}

function referenceFrom(value: JsonObject, target: string): JsonObject {
  const extensions = Object.entries(value).filter(([key]) => key.startsWith('x-kubernetes-') || key === 'description');
  return { ...Object.fromEntries(extensions), $ref: `${V2_PREFIX}${target.slice(REF_PREFIX.length)}` };
}

function pathsOf(resources: readonly Resource[]): JsonObject {
  const paths: Record<string, Record<string, Json>> = {};
  for (const resource of resources) {
    const word = groupWord(resource);
    const tag = `${word.slice(0, 1).toLowerCase()}${word.slice(1)}_${resource.version}`;
    for (const operation of operationsOf(resource)) {
      const item = paths[operation.path] ?? { parameters: sharedBy(operation.path).map(written) };
      item[operation.method] = operationOf(operation, tag);
      paths[operation.path] = item;
    }
  }
  return paths;
}

function operationOf(operation: Operation, tag: string): JsonObject {
  const { id, action, kind, body, answer } = operation;
  const schema = (type: string): JsonObject => ({ $ref: `${V2_PREFIX}${type}` });
  const sent =
    body === undefined ? [] : [{ name: 'body', in: 'body', required: action !== 'delete', schema: schema(body) }];
  return {
    consumes: action === 'patch' ? patchTypes(operation) : ['*/*'],
    produces: answerTypes(operation),
    schemes: ['https'],
    tags: [tag],
    operationId: id,
    parameters: [...sent, ...queryOf(operation).map(written)],
    responses: {
      200: { description: 'OK', schema: answer === undefined ? { type: 'string' } : schema(answer) },
      401: { description: 'Unauthorized' },
    },
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': { ...kind },
  };
}

function written({ name, in: place, type }: Parameter): JsonObject {
  return { uniqueItems: true, type, name, in: place, ...(place === 'path' ? { required: true } : {}) };
}
