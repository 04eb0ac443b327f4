// URLs in rules: `url("https://a.example:8080/b?c=d").getHost()`.

import type { Environment } from '@marcbachmann/cel-js';
import type { Register } from './environment.ts';

class Url {
  readonly text: string;
  readonly scheme: string;
  /** With the port. */
  readonly host: string;
  readonly path: string;
  readonly query: string;

  constructor(text: string, [scheme = '', host = '', path = '', query = '']: readonly string[]) {
    this.text = text;
    this.scheme = scheme.toLowerCase();
    this.host = host;
    this.path = path;
    this.query = query;
  }

  valueOf(): string {
    return this.text;
  }
}

export function registerUrls(environment: Environment, register: Register): void {
  environment.registerType('kubernetes.URL', { ctor: Url, fields: {} });
  environment.registerOperator('kubernetes.URL == kubernetes.URL: bool', (a: Url, b: Url) => a.text === b.text);
  register('isURL(string): bool', (text: string) => parseUrl(text) !== undefined);
  register('url(string): kubernetes.URL', urlOf);
  register('kubernetes.URL.getScheme(): string', (url: Url) => url.scheme);
  register('kubernetes.URL.getHost(): string', (url: Url) => url.host);
  register('kubernetes.URL.getHostname(): string', (url: Url) => hostParts(url)[0]);
  register('kubernetes.URL.getPort(): string', (url: Url) => hostParts(url)[1]);
  register('kubernetes.URL.getEscapedPath(): string', (url: Url) => escapedPath(url.path));
  register('kubernetes.URL.getQuery(): map<string, list<string>>', queryOf);
}

const hasControls = (text: string): boolean => [...text].some(sign => sign < ' ' || sign === '\x7f');

/** What a path cannot hold as it is. */
const escapedPath = (path: string): string =>
  path.replaceAll(/[^\x21-\x7e]|["<>\\^`{|}[\]]/gu, sign => encodeURIComponent(sign));

function urlOf(text: string): Url {
  const url = parseUrl(text);
  if (url === undefined)
    throw new Error(`URL parse error during conversion from string: parse ${JSON.stringify(text)}: ${problemOf(text)}`);
  return url;
}

function problemOf(text: string): string {
  const [, port] =
    /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#]*?(:[^/?#:\]]*[^/?#:\]\d][^/?#:\]]*)(?:[/?#]|$)/.exec(text) ?? [];
  return port === undefined ? 'invalid URI for request' : `invalid port ${JSON.stringify(port)} after host`;
}

/** An absolute URI or an absolute path; percent signs must be escapes. */
function parseUrl(text: string): Url | undefined {
  if (hasControls(text) || /%(?![0-9A-Fa-f]{2})/.test(text)) return undefined;
  if (text.startsWith('/')) {
    const [path = '', ...query] = text.split('?');
    return new Url(text, ['', '', path, query.join('?')]);
  }
  const match = /^([A-Za-z][A-Za-z0-9+.-]*):(?:\/\/(?:[^/?#@]*@)?([^/?#]*))?([^?#]*)(?:\?([^#]*))?/.exec(text);
  if (match === null || (match[2] === undefined && match[3] === '')) return undefined;
  const host = match[2] ?? '';
  return /^(\[[0-9A-Fa-f:.%]+\]|[^\s:[\]]*)(:\d*)?$/.test(host)
    ? new Url(
        text,
        match.slice(1).map(part => part ?? ''),
      )
    : undefined;
}

/** Name and port; brackets around an IPv6 address are dropped. */
function hostParts({ host }: Url): readonly [string, string] {
  const match = /^(?:\[(.*)\]|([^:]*))(?::(\d*))?$/.exec(host);
  return [match?.[1] ?? match?.[2] ?? '', match?.[3] ?? ''];
}

function queryOf({ query }: Url): ReadonlyMap<string, readonly string[]> {
  const values = new Map<string, string[]>();
  for (const [key, value] of new URLSearchParams(query)) values.set(key, [...(values.get(key) ?? []), value]);
  return values;
}
