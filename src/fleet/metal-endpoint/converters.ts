// Who converts the objects of a definition: the Service that it names, and whom it trusts there.

import { definitionsOf } from '../definitions.ts';
import { ENDPOINT_SERVICE } from './names.ts';

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What is at this path; nothing where an object is missing on the way. */
export const valueAt = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce((inner: unknown, name) => (isFields(inner) ? inner[name] : undefined), value);

export interface Converter {
  /** `namespace/name`, a URL, or nothing: the definition converts by itself. */
  readonly at: string | undefined;
  readonly caBundle: string | undefined;
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** `namespace/name` of the Service, or the URL, of a webhook's `clientConfig`. */
export function addressIn(clientConfig: unknown): string | undefined {
  const [namespace, name] = [valueAt(clientConfig, 'service', 'namespace'), valueAt(clientConfig, 'service', 'name')];
  if (typeof namespace === 'string' && typeof name === 'string') return `${namespace}/${name}`;
  return textOf(valueAt(clientConfig, 'url'));
}

export function converterOf({ spec }: { readonly spec: unknown }): Converter {
  const client = valueAt(spec, 'conversion', 'webhook', 'clientConfig');
  const at = valueAt(spec, 'conversion', 'strategy') === 'Webhook' ? addressIn(client) : undefined;
  return { at, caBundle: textOf(valueAt(client, 'caBundle')) };
}

export const OUR_ADDRESS = `${ENDPOINT_SERVICE.namespace}/${ENDPOINT_SERVICE.name}`;

/** Definitions of ours whose versions the endpoint converts. */
export const CONVERTED_DEFINITIONS: readonly string[] = definitionsOf(['metal'])
  .filter(each => converterOf(each).at === OUR_ADDRESS)
  .map(({ metadata }) => metadata.name);
