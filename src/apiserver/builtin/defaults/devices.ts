// What is filled in where devices are asked for: exactly one of them, and how a taint is tolerated.

import type { Draft } from '../json.ts';
import { draftAt, draftsAt, fill } from './fill.ts';

export const defaultDeviceClaim = (claim: Draft): void => defaultRequests(draftAt(claim, 'spec'));

export function defaultDeviceTemplate(template: Draft): void {
  const spec = draftAt(template, 'spec');
  if (spec !== undefined) defaultRequests(draftAt(spec, 'spec'));
}

function defaultRequests(spec: Draft | undefined): void {
  const devices = spec === undefined ? undefined : draftAt(spec, 'devices');
  if (devices === undefined) return;
  for (const request of draftsAt(devices, 'requests')) {
    const exactly = draftAt(request, 'exactly');
    if (exactly !== undefined) defaultRequest(exactly);
    for (const choice of draftsAt(request, 'firstAvailable')) defaultRequest(choice);
  }
}

function defaultRequest(request: Draft): void {
  fill(request, 'allocationMode', 'ExactCount');
  if (request.allocationMode === 'ExactCount') fill(request, 'count', 1);
  for (const toleration of draftsAt(request, 'tolerations')) fill(toleration, 'operator', 'Equal');
}
