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
  APIGroupDiscoveryList: { shape: 'discovery', group: 'apidiscovery.k8s.io', versions: ['v2'] },
};

/** What an endpoint can write. */
export interface Offer {
  readonly formats: readonly Format[];
  readonly shapes: readonly Shape[];
  /** Kinds that have protobuf for their metadata alone. */
  readonly plainProtobuf?: false;
  /** The media types by which its route is found; left out: any request finds it. */
  readonly route?: readonly string[];
  /** How a watch calls its formats. */
  readonly streams?: readonly string[];
}

/** Chooses the answer's form. */
export function accept(header: string | undefined, offer: Offer): Accepted {
  const wanted = orAnything(header);
  if (offer.route !== undefined) acceptRoute(header, offer.route);
  const found = wishesOf(wanted).find(wish => wish !== undefined && isOffered(wish, offer));
  if (found === undefined) throw notAcceptable(Object.values(MEDIA_TYPES), 'shaped');
  if (offer.streams !== undefined && found.format === 'yaml') throw notAcceptable(offer.streams, 'shaped');
  const { stream: _, ...accepted } = found;
  return accepted;
}

/** Refuses who takes none of the media types by which a route is found. */
export function acceptRoute(header: string | undefined, route: readonly string[]): void {
  if (!findsRoute(orAnything(header), route)) throw notAcceptable(route, 'plain');
}

const orAnything = (header = ''): string => (header.trim() === '' ? '*/*' : header);

/** The first wish for a plain object in one of these; undefined: there is none. */
export function wantedFormat(header: string, formats: readonly Format[]): Format | undefined {
  const offer = { formats, shapes: [] };
  return wishesOf(header).find(wish => wish !== undefined && isOffered(wish, offer))?.format;
}

function isOffered({ format, shape, stream }: Wish, { formats, shapes, plainProtobuf, streams }: Offer): boolean {
  if (!formats.includes(format) || (shape !== 'object' && !shapes.includes(shape))) return false;
  if (stream !== undefined && (stream !== 'watch' || streams === undefined || format === 'yaml')) return false;
  return format !== 'protobuf' || (shape !== 'table' && (shape !== 'object' || plainProtobuf !== false));
}

/** The real server's router knows no other wildcard than the whole one, and compares letter by letter. */
const findsRoute = (header: string, route: readonly string[]): boolean =>
  header.split(',', 64).some(part => {
    const type = (part.split(';')[0] ?? '').trim();
    return type === '*/*' || route.includes(type);
  });

/** Each client sends the same header with every request. */
const wishesOf = remembered(header => byQuality(header).map(item => acceptedOf(item.type, item.parameters)));

interface Wish extends Accepted {
  readonly stream?: string;
}

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

function acceptedOf(type: string, parameters: ReadonlyMap<string, string>): Wish | undefined {
  const format = Object.hasOwn(FORMATS, type) ? FORMATS[type] : undefined;
  if (format === undefined) return undefined;
  const as = parameters.get('as');
  const said = parameters.get('stream');
  const stream = said === undefined ? {} : { stream: said };
  if (as === undefined) return { format, shape: 'object', shapeVersion: '', ...stream };
  const known = Object.hasOwn(SHAPES, as) ? SHAPES[as] : undefined;
  const version = parameters.get('v') ?? '';
  if (known === undefined || known.group !== parameters.get('g') || !known.versions.includes(version)) return undefined;
  return { format, shape: known.shape, shapeVersion: version, ...stream };
}
