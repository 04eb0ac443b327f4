// Which kinds the embedded API serves, and what knows their shapes.

import { builtinSchema, protobufCodec, resources, strategicMerge } from '../apiserver/builtin/index.ts';
import type { ApiParts, Resource } from '../apiserver/parts.ts';

/** HorizontalPodAutoscalers have two forms with different fields; the newer one is served. */
const isServed = ({ group, version }: Resource): boolean => !(group === 'autoscaling' && version === 'v1');

export const schemaParts: ApiParts = {
  resources: resources.filter(isServed),
  builtinSchema,
  protobuf: protobufCodec,
  strategicMerge,
};
