// The operating system of a Pod, and what it forbids: fields that only another system has.

import type { FieldError, JsonObject } from '../../parts.ts';
import { forbidden, notSupported, required } from '../../schema/field-errors.ts';
import { textAt } from '../json.ts';
import { NONE, ofObject } from './fields.ts';
import { eachContainer, type PodView, securityOf } from './pod-view.ts';
import type { Errors } from './texts.ts';

const SYSTEMS = ['linux', 'windows'];

/** Fields of a Pod that windows does not have; those of the spec itself are named in place. */
const OF_POD: readonly (readonly [of: 'context' | 'spec', key: string])[] = [
  ['context', 'appArmorProfile'],
  ['context', 'seLinuxOptions'],
  ['spec', 'hostUsers'],
  ['spec', 'hostPID'],
  ['spec', 'hostIPC'],
  ['context', 'seccompProfile'],
  ['context', 'fsGroup'],
  ['context', 'fsGroupChangePolicy'],
  ['context', 'sysctls'],
  ['spec', 'shareProcessNamespace'],
  ['context', 'runAsUser'],
  ['context', 'runAsGroup'],
  ['context', 'supplementalGroups'],
  ['context', 'supplementalGroupsPolicy'],
  ['context', 'seLinuxChangePolicy'],
];

const OF_CONTAINER = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'capabilities',
  'readOnlyRootFilesystem',
  'privileged',
  'allowPrivilegeEscalation',
  'procMount',
  'runAsUser',
  'runAsGroup',
];

export const systemErrors = ofObject<PodView>((path, os, pod) => {
  const name = textAt(os, 'name');
  if (name === '') return [required(`${path}.name`)];
  if (!SYSTEMS.includes(name)) return [notSupported(path, name, SYSTEMS)];
  return name === 'linux' ? linuxErrors(pod) : windowsErrors(pod);
});

function linuxErrors({ path, spec }: PodView): Errors {
  const of = (holder: JsonObject, at: string): Errors => {
    if (securityOf(holder).windowsOptions === undefined) return NONE;
    return [forbidden(`${at}.securityContext.windowsOptions`, 'windows options cannot be set for a linux pod')];
  };
  return [...of(spec, path), ...eachContainer<FieldError>(path, spec, of)];
}

function windowsErrors({ path, spec }: PodView): Errors {
  const context = securityOf(spec);
  const ofPod = OF_POD.flatMap(([of, key]) => {
    const value = of === 'spec' ? spec[key] : context[key];
    // Whether processes and messages are the host's is no where it is not yes.
    const isUnset = value === undefined || (value === false && (key === 'hostPID' || key === 'hostIPC'));
    return isUnset ? NONE : [notOfWindows(of === 'spec' ? `${path}.${key}` : `${path}.securityContext.${key}`)];
  });
  const ofContainers = eachContainer<FieldError>(path, spec, (container, at) => {
    const own = securityOf(container);
    return OF_CONTAINER.filter(key => own[key] !== undefined).map(key => notOfWindows(`${at}.securityContext.${key}`));
  });
  return [...ofPod, ...ofContainers];
}

const notOfWindows = (path: string): FieldError => forbidden(path, 'cannot be set for a windows pod');
