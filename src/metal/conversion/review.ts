// ConversionReview: the objects that an API server posts, answered in the version that it asks for.

import { convertMetal } from './convert.ts';
import { type Fields, fieldsAt, isFields } from './steps.ts';

const API_VERSION = 'apiextensions.k8s.io/v1';

/** One object, in the version asked for; throws when it cannot be. */
type Convert = (object: Fields, toApiVersion: string) => Fields;

/** The answer to a review. What cannot be converted is refused as a whole, with the reason: that is the protocol. */
export function convertReview(review: unknown, convert: Convert = convertMetal): Fields {
  const request = isFields(review) ? fieldsAt(review, 'request') : {};
  const { uid = '', objects, desiredAPIVersion } = request;
  const response = {
    uid,
    ...answered(Array.isArray(objects) ? objects : [], { convert, desired: String(desiredAPIVersion) }),
  };
  return { apiVersion: API_VERSION, kind: 'ConversionReview', response };
}

interface Asked {
  readonly convert: Convert;
  readonly desired: string;
}

function answered(objects: readonly unknown[], { convert, desired }: Asked): Fields {
  try {
    const convertedObjects = objects.filter(isFields).map(object => convert(object, desired));
    return { convertedObjects, result: { status: 'Success' } };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { convertedObjects: [], result: { status: 'Failure', message } };
  }
}
