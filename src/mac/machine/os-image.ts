// Release families of macOS: how a pin, a server's system and the cloud's images are compared (mac-F23 to mac-F27).

import type { OsImage } from '../cloud.ts';

/** `macos-tahoe-26.0`, `Tahoe` and `macOS Tahoe` are one family; a point release never decides. */
export function familyKey(name: string): string {
  return name
    .toLowerCase()
    .replace(/^macos[- ]/, '')
    .replace(/[- ](?=\d).*$/, '')
    .replaceAll(/[ _-]/g, '');
}

/** A pin names a family; one with a version matches nothing once the cloud retires that release. */
export const isVersioned = (pin: string): boolean => /\d/.test(pin);

/** The family of an image: the field where it is a name, else from the image's name (mac-F27). */
export function familyOf(image: OsImage): string {
  return /[a-z]/i.test(image.family) ? familyKey(image.family) : familyKey(image.name);
}

/** The newest image of the pin's family that this server type boots. Never another family's. */
export function newestOf(images: readonly OsImage[], pin: string, serverType: string): OsImage | undefined {
  const family = familyKey(pin);
  return images
    .filter(image => familyOf(image) === family && boots(image, serverType))
    .toSorted((a, b) => compareVersions(b.version, a.version))[0];
}

function boots({ serverTypes }: OsImage, serverType: string): boolean {
  return serverTypes.length === 0 || serverTypes.includes(serverType);
}

/** By number, part by part: 26.10 is newer than 26.9. */
function compareVersions(a: string, b: string): number {
  const [left, right] = [a.split('.').map(Number), b.split('.').map(Number)];
  for (let at = 0; at < Math.max(left.length, right.length); at += 1) {
    const difference = (left[at] ?? 0) - (right[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
