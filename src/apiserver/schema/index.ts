// What the request handler uses of the schemas of custom resources.

export { customSchemaWork } from './schema-work.ts';
