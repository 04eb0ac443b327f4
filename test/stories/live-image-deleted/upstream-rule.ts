// The rule of the report, as a program of its own: an image stays if a Pod's image is the same text as its name.

import type { InProcessMac } from '../../../sim/tart/in-process-host.ts';

/** Deletes every cached name that no Pod spells exactly so. Goldens and VMs are not its concern here. */
export async function collectByText({ tart }: InProcessMac, podImages: readonly string[]): Promise<void> {
  const expected = new Set(podImages);
  const { images } = await tart.inventory();
  for (const { name } of images) if (!expected.has(name)) await tart.delete(name);
}
