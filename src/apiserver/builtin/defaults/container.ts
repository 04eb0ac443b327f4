// What a container gets when its author did not say: how its image is pulled, how its probes are timed.

import { remembered } from '../../../base/remembered.ts';
import type { Draft } from '../json.ts';
import { objectAt, textAt } from '../json.ts';
import { draftAt, draftIn, draftsAt, fill, fillAbsent } from './fill.ts';

const PROBES = ['livenessProbe', 'readinessProbe', 'startupProbe'] as const;

/** What is the latest changes: it is asked for every time. */
export function defaultPull(holder: Draft, policy: string, image: string): void {
  fill(holder, policy, isLatest(textAt(holder, image)) ? 'Always' : 'IfNotPresent');
}

export function defaultContainer(container: Draft): void {
  fill(container, 'terminationMessagePath', '/dev/termination-log');
  fill(container, 'terminationMessagePolicy', 'File');
  defaultPull(container, 'imagePullPolicy', 'image');
  draftIn(container, 'resources');
  for (const port of draftsAt(container, 'ports')) fill(port, 'protocol', 'TCP');
  for (const variable of draftsAt(container, 'env')) defaultSource(draftAt(variable, 'valueFrom'));
  for (const key of PROBES) defaultProbe(draftAt(container, key));
  const lifecycle = draftAt(container, 'lifecycle');
  if (lifecycle === undefined) return;
  for (const hook of ['postStart', 'preStop']) defaultHttpGet(draftAt(lifecycle, hook));
}

function defaultSource(source: Draft | undefined): void {
  defaultFieldRef(source);
  const file = source === undefined ? undefined : draftAt(source, 'fileKeyRef');
  if (file !== undefined) fillAbsent(file, 'optional', false);
}

/** `fieldRef` in an environment variable or a downward API file. */
export function defaultFieldRef(source: Draft | undefined): void {
  const fieldRef = source === undefined ? undefined : draftAt(source, 'fieldRef');
  if (fieldRef !== undefined) fill(fieldRef, 'apiVersion', 'v1');
}

const DOMAIN = String.raw`(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)*|\[[a-fA-F0-9:]+\])(?::[0-9]+)?`;
const PART = String.raw`[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*`;
const REFERENCE = new RegExp(`^(?:${DOMAIN}/)?${PART}(?:/${PART})*(?::(?<tag>[\\w][\\w.-]{0,127}))?(?<digest>@.+)?$`);

/** Without a tag and without a digest an image is `latest`; what is no reference is nothing. */
const isLatest = remembered((image): boolean => {
  const groups = REFERENCE.exec(image)?.groups;
  if (groups === undefined) return false;
  return groups.tag === undefined ? groups.digest === undefined : groups.tag === 'latest';
});

function defaultProbe(probe: Draft | undefined): void {
  if (probe === undefined) return;
  const numbers = { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 };
  for (const [key, value] of Object.entries(numbers)) if (!probe[key]) probe[key] = value;
  defaultHttpGet(probe);
  const grpc = draftAt(probe, 'grpc');
  if (grpc !== undefined) fillAbsent(grpc, 'service', '');
}

function defaultHttpGet(handler: Draft | undefined): void {
  const httpGet = handler === undefined ? undefined : draftAt(handler, 'httpGet');
  if (httpGet === undefined) return;
  fill(httpGet, 'path', '/');
  fill(httpGet, 'scheme', 'HTTP');
}

/** Requests that are not said are as high as the limits. */
export function requestWhatIsLimited(container: Draft): void {
  const resources = draftIn(container, 'resources');
  const limits = objectAt(resources, 'limits');
  if (Object.keys(limits).length === 0) return;
  const requests = draftIn(resources, 'requests');
  for (const [name, limit] of Object.entries(limits)) fillAbsent(requests, name, limit);
}
