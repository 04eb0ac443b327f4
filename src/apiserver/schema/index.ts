// What the request handler uses of the schemas of custom resources.

export { crdCheck } from './crd-check.ts';
export { customSchemaWork } from './schema-work.ts';
