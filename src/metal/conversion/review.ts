// ConversionReview: the objects that an API server posts, answered in the version that it asks for.

import { convertMetal } from './convert.ts';
import { type Fields, fieldsAt, isFields } from './steps.ts';

const API_VERSION = 'apiextensions.k8s.io/v1';

/** The answer to a review. What cannot be converted is refused as a whole, with the reason: that is the protocol. */
export function convertReview(review: unknown): Fields {
  const request = isFields(review) ? fieldsAt(review, 'request') : {};
  const { uid = '', objects, desiredAPIVersion } = request;
  const response = { uid, ...answered(Array.isArray(objects) ? objects : [], String(desiredAPIVersion)) };
  return { apiVersion: API_VERSION, kind: 'ConversionReview', response };
}

function answered(objects: readonly unknown[], desired: string): Fields {
  try {
    const convertedObjects = objects.filter(isFields).map(object => convertMetal(object, desired));
    return { convertedObjects, result: { status: 'Success' } };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { convertedObjects: [], result: { status: 'Failure', message } };
  }
}
