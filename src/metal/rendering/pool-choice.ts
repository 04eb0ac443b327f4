// Which pool a field of a template means: by annotation, else by reference, else by name (metal-R4).

import type { PoolAddress, PoolAddresses, SourceObjects } from './input.ts';
import { renderingRefused } from './refused.ts';
import { type AnnotationSource, annotationOf } from './source-objects.ts';

/** A pool of any provider. */
export interface PoolReference {
  readonly name: string;
  readonly kind: string;
  readonly apiGroup: string;
}

/** The pools that the address manager of Metal3 keeps: what a bare name means. */
export const metal3Pool = (name: string): PoolReference => ({ name, kind: 'IPPool', apiGroup: 'ipam.metal3.io' });

/** The three ways in which a template names a pool. */
export interface PoolSources {
  readonly fromPoolAnnotation?: AnnotationSource;
  readonly fromPoolRef?: PoolRef;
  readonly named: { readonly by: string; readonly name: string | undefined };
}

interface PoolRef {
  readonly name: string;
  readonly kind?: string;
  readonly apiGroup?: string;
}

/** A pool, and the field that chose it. */
export interface ChosenPool {
  readonly pool: PoolReference;
  readonly field: string;
}

/** Undefined where no pool is named. An annotation without any object to read it of counts for none. */
export function chosenPool(sources: PoolSources, objects: SourceObjects, field: string): ChosenPool | undefined {
  const { fromPoolAnnotation, fromPoolRef, named } = sources;
  if (fromPoolAnnotation !== undefined)
    return annotatedPool(fromPoolAnnotation, objects, `${field}.fromPoolAnnotation`);
  if (fromPoolRef !== undefined && fromPoolRef.name !== '') {
    return { pool: referredPool(fromPoolRef), field: `${field}.fromPoolRef` };
  }
  const { by, name = '' } = named;
  return name === '' ? undefined : { pool: metal3Pool(name), field: `${field}.${by}` };
}

function referredPool({ name, kind = '', apiGroup = '' }: PoolRef): PoolReference {
  const defaults = metal3Pool(name);
  return { name, kind: kind || defaults.kind, apiGroup: apiGroup || defaults.apiGroup };
}

function annotatedPool(source: AnnotationSource, objects: SourceObjects, field: string): ChosenPool | undefined {
  if (Object.values(objects).every(object => object === undefined)) return undefined;
  const name = annotationOf(source, objects, field);
  if (name !== '') return { pool: metal3Pool(name), field };
  throw renderingRefused(
    `${field}.annotation "${source.annotation}"`,
    `the ${source.object} has none, or an empty one`,
  );
}

/** The address that a pool gave this host. */
export function addressFrom(addresses: PoolAddresses, name: string, field: string): PoolAddress {
  const address = addresses.get(name);
  if (address === undefined) throw renderingRefused(`${field} "${name}"`, 'no address of this pool is there');
  return address;
}
