// Links of what is proxied: those to the workload itself are made to lead through the API server again.

/** Where the answer comes from, and what stands before its paths here. */
export interface Place {
  readonly before: string;
  /** Of the workload. */
  readonly host: string;
  /** By which the client knows the API server. */
  readonly askedHost: string;
}

/** Scheme, host, path, and all that follows. */
const URL_PARTS = /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(.*)$/s;

export function relocated(link: string, { before, host, askedHost }: Place): string {
  const [, , linked = '', path = '', more = ''] = URL_PARTS.exec(link) ?? [];
  const isElsewhere = linked !== '' && linked !== host && linked !== askedHost;
  if (isElsewhere || !path.startsWith('/')) return link;
  const kept = linked !== '' && linked === askedHost ? link.slice(0, link.length - path.length - more.length) : '';
  return `${kept}${path.startsWith(before) ? path : joined(before, path)}${more}`;
}

/** Without empty and dotted parts. */
export function joined(before: string, path: string): string {
  const kept: string[] = [];
  for (const part of `${before}/${path}`.split('/')) {
    if (part === '..') kept.pop();
    else if (part !== '' && part !== '.') kept.push(part);
  }
  const whole = `/${kept.join('/')}`;
  return path.endsWith('/') && !whole.endsWith('/') ? `${whole}/` : whole;
}
