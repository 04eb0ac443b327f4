// Image names and what they have in common: the repository. Content is named by digest; a tag only points at it.

/** `host/ns@sha256:<hex>`: names content, not a pointer to it. */
export const isContentId = (name: string): boolean => /@sha256:[0-9a-f]{64}$/.test(name);

/** The name without tag and digest; a registry's port is no tag. */
export function repositoryOf(name: string): string {
  const named = name.replace(/@.*$/, '');
  const colon = named.lastIndexOf(':');
  return colon > named.lastIndexOf('/') ? named.slice(0, colon) : named;
}
