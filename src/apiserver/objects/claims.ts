// PersistentVolumeClaims: what they begin with is said in two fields, which tell the same.

import type { Json, JsonObject } from '../parts.ts';
import { isObject, objectAt, stringAt } from '../rules/json.ts';
import type { Strategy } from './strategy.ts';

export const claims: Strategy = {
  prepareCreate: object => ({ ...object, spec: withBothSources(objectAt(object, 'spec')) }),
};

function withBothSources(spec: JsonObject): JsonObject {
  const { dataSource, dataSourceRef, ...rest } = spec;
  const source = isObject(dataSource) && isKnown(dataSource) ? dataSource : undefined;
  const reference = isObject(dataSourceRef) ? dataSourceRef : source;
  // One of another Namespace cannot be said in the older field.
  const isNear = reference !== undefined && stringAt(reference, 'namespace') === '';
  const older = source ?? (isNear ? reference : undefined);
  return { ...rest, ...given('dataSource', older), ...given('dataSourceRef', reference) };
}

const given = (key: string, value: Json | undefined): JsonObject => (value === undefined ? {} : { [key]: value });

/** The older field is for volumes and snapshots alone; anything else in it is overlooked. */
function isKnown(source: JsonObject): boolean {
  const [group, kind] = [stringAt(source, 'apiGroup'), stringAt(source, 'kind')];
  return (
    (group === '' && kind === 'PersistentVolumeClaim') ||
    (group === 'snapshot.storage.k8s.io' && kind === 'VolumeSnapshot')
  );
}
