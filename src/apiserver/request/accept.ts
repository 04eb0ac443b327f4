// Which form the answer takes: the first of the client's media types that we can write.

import { remembered } from '../../base/remembered.ts';
import { notAcceptable } from '../answer/status.ts';
import { type MediaType, mediaTypes, withoutSpaces } from './media-types.ts';

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
  /** The object itself is not to be had. */
  readonly plain?: false;
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
  const found = firstOffered(wanted, offer);
  if (found === undefined) throw notAcceptable(Object.values(MEDIA_TYPES), 'shaped');
  if (offer.streams !== undefined && found.format === 'yaml') throw notAcceptable(offer.streams, 'shaped');
  return found;
}

const firstOffered = (wanted: string, offer: Offer): Wish | undefined =>
  wishesOf(wanted).find(wish => wish !== undefined && isOffered(wish, offer));

/** Refuses who takes none of the media types by which a route is found. */
export function acceptRoute(header: string | undefined, route: readonly string[]): void {
  if (!findsRoute(orAnything(header), route)) throw notAcceptable(route, 'plain');
}

const orAnything = (header = ''): string => (header.trim() === '' ? '*/*' : header);

/** The first wish for a plain object in one of these; undefined: there is none. */
export function wantedFormat(header: string, formats: readonly Format[]): Format | undefined {
  return firstOffered(orAnything(header), { formats, shapes: [] })?.format;
}

/** The first wish for the aggregated form of discovery, wherever it stands; undefined: the old form is wanted. */
export const wantedAggregation = (header: string, formats: readonly Format[]): Format | undefined =>
  firstOffered(header, { formats, shapes: ['discovery'], plain: false })?.format;

/** Whether JSON is wanted in lines. */
export const wantsLines = (header: string): boolean =>
  header.includes('pretty') && wishesOf(header).find(wish => wish?.format === 'json')?.pretty === true;

function isOffered(wish: Wish, offer: Offer): boolean {
  const { format, shape } = wish;
  const { formats, shapes, plain, plainProtobuf } = offer;
  if (!formats.includes(format) || !isServed(wish, shapes)) return false;
  if (shape === 'object' ? plain === false : !shapes.includes(shape)) return false;
  return format !== 'protobuf' || (shape !== 'table' && (shape !== 'object' || plainProtobuf !== false));
}

/** YAML has no frames. Whoever answers as a whole takes no notice of the others'. */
function isServed({ format, stream, serverVersion }: Wish, shapes: readonly Shape[]): boolean {
  if (stream !== undefined && (stream !== 'watch' || format === 'yaml')) return false;
  return serverVersion === '' || (serverVersion === 'v1' && shapes.includes('table'));
}

/** The real server's router knows no other wildcard than the whole one, and compares letter by letter. */
const findsRoute = (header: string, route: readonly string[]): boolean =>
  header.split(',', 64).some(part => {
    const type = withoutSpaces(part.split(';')[0] ?? '');
    return type === '*/*' || route.includes(type);
  });

/** Each client sends the same header with every request. */
const wishesOf = remembered(header => mediaTypes(header).map(wishOf));

interface Wish extends Accepted {
  readonly stream?: string;
  /** Of the server's own kinds; `v1` alone is there, and for objects alone. */
  readonly serverVersion: string;
  /** In lines, for a person. */
  readonly pretty: boolean;
}

/** Undefined: nothing that any endpoint could write. */
function wishOf({ type, parameters }: MediaType): Wish | undefined {
  const format = Object.hasOwn(FORMATS, type) ? FORMATS[type] : undefined;
  const asked = shapeIn(parameters);
  if (format === undefined || asked === undefined) return undefined;
  const stream = parameters.get('stream') ?? '';
  const pretty = parameters.get('pretty') === '1';
  const serverVersion = parameters.get('sv') ?? '';
  return { format, ...asked, pretty, serverVersion, ...(stream === '' ? {} : { stream }) };
}

/** Undefined: a shape that is none, or not said in full. */
function shapeIn(parameters: ReadonlyMap<string, string>): Pick<Accepted, 'shape' | 'shapeVersion'> | undefined {
  if (!['as', 'g', 'v'].some(key => parameters.has(key))) return { shape: 'object', shapeVersion: '' };
  const as = parameters.get('as') ?? '';
  const known = Object.hasOwn(SHAPES, as) ? SHAPES[as] : undefined;
  const version = parameters.get('v') ?? '';
  if (known === undefined || known.group !== parameters.get('g') || !known.versions.includes(version)) return undefined;
  return { shape: known.shape, shapeVersion: version };
}
