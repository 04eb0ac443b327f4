// Metal3Machine and Metal3MachineTemplate in both versions.

import { reference } from './references.ts';
import { clusterApiStatus } from './status.ts';
import { at, forgotten, inOrder, isFields, renamed, type Step, unless } from './steps.ts';

/** Clients of v1beta1 write an image without an address where a custom deploy takes its place. */
const hasNoAddress = (image: unknown): boolean => isFields(image) && (image.url === undefined || image.url === '');

const hasNoMethod = (deploy: unknown): boolean => isFields(deploy) && deploy.method === '';

const spec = inOrder(
  reference('dataTemplate'),
  unless('image', hasNoAddress),
  at('image', renamed('format', 'diskFormat')),
  unless('customDeploy', hasNoMethod),
);

export const machine: Step = inOrder(
  at('spec', spec),
  at('status', inOrder(reference('renderedData'), forgotten('phase'), clusterApiStatus)),
);

export const machineTemplate: Step = at('spec', at('template', at('spec', spec)));
