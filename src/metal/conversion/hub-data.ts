// The annotation in which a v1beta1 object carries what only v1beta2 can say, as Cluster API's conversions write it.

import { CONVERSION_DATA_ANNOTATION } from '../../kinds/metal-wire.ts';
import { type Fields, fieldsAt, isFields, withMembers } from './steps.ts';

/** The v1beta1 object with what its v1beta2 form said. */
export function withHubData(object: Fields, { metadata: _, ...hub }: Fields): Fields {
  const metadata = fieldsAt(object, 'metadata');
  const annotations = { ...fieldsAt(metadata, 'annotations'), [CONVERSION_DATA_ANNOTATION]: JSON.stringify(hub) };
  return { ...object, metadata: { ...metadata, annotations } };
}

/** What the annotation says; undefined without one, or with one that is not readable. */
export function hubDataOf(object: Fields): Fields | undefined {
  const text = annotationsOf(object)[CONVERSION_DATA_ANNOTATION];
  return typeof text === 'string' ? parsed(text) : undefined;
}

/** The object without the annotation. */
export function withoutHubData(object: Fields): Fields {
  const { [CONVERSION_DATA_ANNOTATION]: data, ...others } = annotationsOf(object);
  if (data === undefined) return object;
  const annotations = Object.keys(others).length === 0 ? undefined : others;
  return { ...object, metadata: withMembers(fieldsAt(object, 'metadata'), { annotations }) };
}

const annotationsOf = (object: Fields): Fields => fieldsAt(fieldsAt(object, 'metadata'), 'annotations');

function parsed(text: string): Fields | undefined {
  try {
    const data: unknown = JSON.parse(text);
    return isFields(data) ? data : undefined;
  } catch {
    // A damaged note is none: it must not keep the object from being read.
    return undefined;
  }
}
