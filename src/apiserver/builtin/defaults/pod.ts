// What a Pod, and the Pod in a template, gets when its author did not say.

import { type Draft, textAt } from '../json.ts';
import { defaultContainer, requestWhatIsLimited } from './container.ts';
import { draftAt, draftIn, draftsAt, fill, fillAbsent } from './fill.ts';
import { defaultPodResources } from './pod-resources.ts';
import { defaultVolume } from './volume.ts';

const CONTAINERS = ['initContainers', 'containers', 'ephemeralContainers'] as const;

/** A Pod of its own. */
export function defaultPod(pod: Draft): void {
  const spec = draftIn(pod, 'spec');
  fillAbsent(spec, 'enableServiceLinks', true);
  for (const key of ['initContainers', 'containers']) {
    for (const container of draftsAt(spec, key)) requestWhatIsLimited(container);
  }
  if (spec.resources !== undefined) defaultPodResources(spec);
  if (spec.hostNetwork === true) useHostPorts(spec);
  defaultPodSpec(spec);
}

/** `spec.template` of a workload. */
export function defaultTemplate(owner: Draft | undefined): void {
  const template = owner === undefined ? undefined : draftAt(owner, 'template');
  const spec = template === undefined ? undefined : draftAt(template, 'spec');
  if (spec !== undefined) defaultPodSpec(spec);
}

function defaultPodSpec(spec: Draft): void {
  fill(spec, 'restartPolicy', 'Always');
  fill(spec, 'dnsPolicy', 'ClusterFirst');
  fillAbsent(spec, 'terminationGracePeriodSeconds', 30);
  fill(spec, 'schedulerName', 'default-scheduler');
  draftIn(spec, 'securityContext');
  for (const key of CONTAINERS) for (const container of draftsAt(spec, key)) defaultContainer(container);
  for (const volume of draftsAt(spec, 'volumes')) defaultVolume(volume);
  for (const constraint of draftsAt(spec, 'topologySpreadConstraints')) defaultSpread(constraint);
  // The old name of the field, still written beside the new one.
  const account = textAt(spec, 'serviceAccountName') || textAt(spec, 'serviceAccount');
  if (account !== '') Object.assign(spec, { serviceAccountName: account, serviceAccount: account });
}

function defaultSpread(constraint: Draft): void {
  if (constraint.nodeAffinityPolicy === undefined) return;
  fill(constraint, 'whenUnsatisfiable', 'DoNotSchedule');
}

/** On the host's network every container port is a port of the host. */
function useHostPorts(spec: Draft): void {
  for (const key of CONTAINERS) {
    for (const container of draftsAt(spec, key)) {
      for (const port of draftsAt(container, 'ports')) if (!port.hostPort) port.hostPort = port.containerPort ?? 0;
    }
  }
}
