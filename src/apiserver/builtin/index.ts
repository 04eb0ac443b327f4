// The built-in kinds, as the parts that the request handler is put together from.

export { defaultAdmission } from './admission.ts';
export { openApi } from './openapi/openapi.ts';
export { fieldOwnership } from './ownership/ownership.ts';
export { CLUSTER_PLUGINS, type ClusterPlugin, type ClusterWorld, clusterAdmission } from './plugins/plugins.ts';
export { printer } from './print/printer.ts';
export { protobufCodec } from './protobuf/codec.ts';
export { resources, type Subresource, subresourcesOf } from './resources.ts';
export { builtinSchema } from './schema-work.ts';
export { standingObjects } from './standing.ts';
export { clusterObjects } from './standing-cluster.ts';
export { strategicMerge } from './strategic/merge.ts';
