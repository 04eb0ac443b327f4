// How tart reads a name: what has a slash is remote, everything else is a local VM.

/** A parsed remote reference. Exactly one of `tag` and `digest` is there. */
export interface RemoteName {
  readonly host: string;
  readonly namespace: string;
  readonly tag?: string;
  readonly digest?: string;
}

/** Undefined for local names; throws tart's own sentence for a remote name that cannot be read. */
export function parseRemoteName(text: string): RemoteName | undefined {
  const slash = text.indexOf('/');
  if (slash < 0) return undefined;

  const host = text.slice(0, slash);
  const match = /^([a-z0-9._/-]+)(?:@(sha256:[0-9a-f]{64})|:([A-Za-z0-9_][A-Za-z0-9._-]{0,127}))?$/.exec(
    text.slice(slash + 1),
  );
  if (match === null || !/^[A-Za-z0-9.-]+(:\d+)?$/.test(host)) throw new Error(`failed to parse remote name: ${text}`);

  const [, namespace = '', digest, tag] = match;
  if (digest !== undefined) return { host, namespace, digest };
  return { host, namespace, tag: tag ?? 'latest' };
}

/** `host/namespace`. */
export const repositoryOf = (name: RemoteName): string => `${name.host}/${name.namespace}`;

/** The name of a cached digest directory, as `list` shows it. */
export const contentIdOf = (name: RemoteName, digest: string): string => `${repositoryOf(name)}@${digest}`;
