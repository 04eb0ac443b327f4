// Which kinds the embedded API serves, and what knows their shapes.

import {
  builtinSchema,
  defaultAdmission,
  fieldOwnership,
  openApi,
  printer,
  protobufCodec,
  resources,
  standingObjects,
  strategicMerge,
} from '../apiserver/builtin/index.ts';
import type { Admission, ApiParts, Resource } from '../apiserver/parts.ts';
import { crdCheck, customSchemaWork } from '../apiserver/schema/index.ts';

/** HorizontalPodAutoscalers have two forms with different fields; the newer one is served. */
const isServed = ({ group, version }: Resource): boolean => !(group === 'autoscaling' && version === 'v1');

export const schemaParts: ApiParts = {
  resources: resources.filter(isServed),
  builtinSchema,
  customSchema: customSchemaWork,
  crdCheck,
  protobuf: protobufCodec,
  strategicMerge,
  fieldOwnership,
  printer,
  openApi,
  admission: [defaultAdmission],
  bootstrapObjects: standingObjects,
};

/** The same with what decides who may do what; its admission comes last, because it judges the finished object. */
export function withAccess(
  access: Pick<ApiParts, 'admission' | 'bootstrapObjects'>,
  plugins: readonly Admission[] = [defaultAdmission],
): ApiParts {
  const both = <T>(own: readonly T[] = [], theirs: readonly T[] = []): readonly T[] => [...own, ...theirs];
  return {
    ...schemaParts,
    ...access,
    admission: both(plugins, access.admission),
    bootstrapObjects: both(schemaParts.bootstrapObjects, access.bootstrapObjects),
  };
}
