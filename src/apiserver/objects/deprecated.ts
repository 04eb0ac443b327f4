// Kinds that have a newer one in their place: whoever asks for them is told.

import type { Resource } from '../parts.ts';

const TEXTS: Readonly<Record<string, string>> = {
  'v1 ComponentStatus': 'v1 ComponentStatus is deprecated in v1.19+',
  'v1 Endpoints': 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
};

/** The warning that every answer about this kind carries. */
export const deprecationOf = ({ group, version, kind, deprecation }: Resource): string | undefined =>
  group === '' ? TEXTS[`${version} ${kind}`] : deprecation;
