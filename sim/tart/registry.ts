// The registry double: which tag points where, how large an image is, and how long a pull takes.

import { createHash } from 'node:crypto';
import type { SimGuest, SimVm } from './model.ts';
import { parseRemoteName, type RemoteName, repositoryOf } from './names.ts';

/** One image of the registry file. Everything but the name has a default. */
export interface RegistryImage {
  readonly digest?: string;
  readonly os?: 'darwin' | 'linux';
  readonly sizeGb?: number;
  readonly pullSeconds?: number;
  readonly guest?: Partial<SimGuest>;
  /** The registry answers this HTTP status instead. */
  readonly fails?: number;
}

/** `host/ns:tag` to image; `*` is any other name. Without `*`, unknown names are 404. */
export interface Registry {
  readonly images: Readonly<Record<string, RegistryImage>>;
}

/** Serves every name: for demos and tests that do not care. */
export const anyImage: Registry = { images: { '*': {} } };

/** What a pull brings. */
export interface Manifest {
  readonly digest: string;
  readonly sizeGb: number;
  readonly pullSeconds: number;
  readonly vm: Omit<SimVm, 'accessedMs' | 'base' | 'mac' | 'serial'>;
}

export type Lookup =
  | { readonly kind: 'found'; readonly manifest: Manifest }
  | { readonly kind: 'failed'; readonly httpStatus: number };

/** What the registry answers for this name now. */
export function lookUp(registry: Registry, text: string): Lookup {
  const name = parseRemoteName(text);
  if (name === undefined) return { kind: 'failed', httpStatus: 404 };

  const image = entryFor(registry, name);
  if (image === undefined) return { kind: 'failed', httpStatus: 404 };
  if (image.fails !== undefined) return { kind: 'failed', httpStatus: image.fails };
  return { kind: 'found', manifest: manifestOf(image, name) };
}

function entryFor(registry: Registry, name: RemoteName): RegistryImage | undefined {
  const repository = repositoryOf(name);
  if (name.digest === undefined) return registry.images[`${repository}:${name.tag}`] ?? registry.images['*'];

  const byDigest = Object.entries(registry.images).find(
    ([key, image]) => image.digest === name.digest && key.startsWith(`${repository}:`),
  );
  return byDigest?.[1] ?? registry.images['*'];
}

function manifestOf(image: RegistryImage, name: RemoteName): Manifest {
  const { os = 'darwin', sizeGb = 25, pullSeconds = 3, guest = {} } = image;
  return {
    digest: name.digest ?? image.digest ?? digestOf(`${repositoryOf(name)}:${name.tag}`),
    sizeGb,
    pullSeconds,
    vm: {
      os,
      cpu: 4,
      memoryMb: 8192,
      diskGb: sizeGb * 2,
      sharedGb: sizeGb,
      ownGb: 0,
      guest: { bootSeconds: 2, shutDownSeconds: 1, ...guest },
      suspended: false,
    },
  };
}

/** A digest made of a text. */
export function digestOf(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}
