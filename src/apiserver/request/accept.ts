// Which form the answer takes: the first of the client's media types that we can write.

import { remembered } from '../../base/remembered.ts';
import { notAcceptable } from '../answer/status.ts';

export type Format = 'json' | 'yaml' | 'protobuf';

/** What is asked instead of the object itself. */
export type Shape = 'object' | 'table' | 'metadata' | 'metadataList' | 'discovery';

export interface Accepted {
  readonly format: Format;
  readonly shape: Shape;
  /** Version of the shape: `v1`, `v1beta1`, `v2`. */
  readonly shapeVersion: string;
}

const FORMATS: Readonly<Record<string, Format>> = {
  'application/json': 'json',
  'application/yaml': 'yaml',
  'application/vnd.kubernetes.protobuf': 'protobuf',
  'application/*': 'json',
  '*/*': 'json',
};

export const MEDIA_TYPES: Readonly<Record<Format, string>> = {
  json: 'application/json',
  yaml: 'application/yaml',
  protobuf: 'application/vnd.kubernetes.protobuf',
};

const SHAPES: Readonly<Record<string, { shape: Shape; group: string; versions: readonly string[] }>> = {
  Table: { shape: 'table', group: 'meta.k8s.io', versions: ['v1', 'v1beta1'] },
  PartialObjectMetadata: { shape: 'metadata', group: 'meta.k8s.io', versions: ['v1', 'v1beta1'] },
  PartialObjectMetadataList: { shape: 'metadataList', group: 'meta.k8s.io', versions: ['v1', 'v1beta1'] },
  APIGroupDiscoveryList: { shape: 'discovery', group: 'apidiscovery.k8s.io', versions: ['v2', 'v2beta1'] },
};

/** Chooses the answer's form. `shapes` and `formats`: what this endpoint can write; `streams`: how a watch calls its formats. */
export function accept(
  header: string | undefined,
  formats: readonly Format[],
  shapes: readonly Shape[],
  streams?: readonly string[],
): Accepted {
  const wanted = (header ?? '').trim() === '' ? '*/*' : (header ?? '');
  const wishes = wishesOf(wanted);
  const isWritten = (wish: Accepted): boolean => wish.shape === 'object' || shapes.includes(wish.shape);
  const found = wishes.find(wish => wish !== undefined && formats.includes(wish.format) && isWritten(wish));
  if (found !== undefined) return found;
  const isShaped = streams !== undefined || /;\s*as=|kubernetes\.protobuf/.test(wanted);
  throw notAcceptable(streams ?? Object.values(MEDIA_TYPES), isShaped ? 'shaped' : 'plain');
}

/** Each client sends the same header with every request. */
const wishesOf = remembered(header => byQuality(header).map(item => acceptedOf(item.type, item.parameters)));

interface Item {
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** The media types, the most wanted first; the client's order holds among equals. */
function byQuality(header: string): readonly Item[] {
  const items = header.split(',', 64).map(part => {
    const [type = '', ...rest] = part.split(';').map(text => text.trim());
    const parameters = new Map(
      rest.map(text => [text.split('=')[0] ?? '', text.slice(text.indexOf('=') + 1)] as const),
    );
    return { type: type.toLowerCase(), parameters };
  });
  const quality = (item: Item): number => Number(item.parameters.get('q') ?? 1) || 0;
  return items.sort((a, b) => quality(b) - quality(a));
}

function acceptedOf(type: string, parameters: ReadonlyMap<string, string>): Accepted | undefined {
  const format = Object.hasOwn(FORMATS, type) ? FORMATS[type] : undefined;
  if (format === undefined) return undefined;
  const as = parameters.get('as');
  if (as === undefined) return { format, shape: 'object', shapeVersion: '' };
  const known = Object.hasOwn(SHAPES, as) ? SHAPES[as] : undefined;
  const version = parameters.get('v') ?? '';
  if (known === undefined || known.group !== parameters.get('g') || !known.versions.includes(version)) return undefined;
  return { format, shape: known.shape, shapeVersion: version };
}
