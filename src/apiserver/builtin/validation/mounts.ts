// Where a container sees the volumes of its Pod: in places of their own, as folders or as devices.

import type { FieldError, JsonObject } from '../../parts.ts';
import { forbidden, invalid, notFound, required } from '../../schema/field-errors.ts';
import { isObject, objectsAt, textAt } from '../json.ts';
import { type Check, NONE, supportedErrors } from './fields.ts';
import { descendingErrors, goesBack } from './paths.ts';
import { type ContainerView, securityOf } from './pod-view.ts';
import type { Errors } from './texts.ts';

const PROPAGATIONS = ['Bidirectional', 'HostToContainer', 'None'];
const READ_ONLY = ['Disabled', 'Enabled', 'IfPossible'];

export const mountErrors: Check<ContainerView> = (path, _, { container, pod }) => {
  const seen = new Set<string>();
  const devices = container.volumeDevices === undefined ? [] : objectsAt(container, 'volumeDevices');
  return objectsAt(container, 'volumeMounts').flatMap((mount, index) => {
    const [at, name, where] = [`${path}[${index}]`, textAt(mount, 'name'), textAt(mount, 'mountPath')];
    const isTwice = seen.has(where);
    seen.add(where);
    return [
      ...(name === '' ? [required(`${at}.name`)] : NONE),
      ...(pod.volumes.has(name) ? NONE : [notFound(`${at}.name`, name)]),
      ...(where === '' ? [required(`${at}.mountPath`)] : NONE),
      ...(isTwice ? [invalid(`${at}.mountPath`, where, 'must be unique')] : NONE),
      ...overlapErrors(
        { name: `${at}.name`, path: `${at}.mountPath` },
        { name, path: where },
        among(devices, 'devicePath', 'volumeDevices'),
      ),
      ...subPathErrors(path, at, mount),
      ...propagationErrors(path, mount, container),
      ...readOnlyErrors(`${path}.recursiveReadOnly`, mount),
    ];
  });
};

interface Place {
  readonly name: string;
  readonly path: string;
}

interface Others {
  readonly places: readonly Place[];
  readonly of: string;
}

const among = (list: readonly JsonObject[], key: string, of: string): Others => ({
  of,
  places: list.map(each => ({ name: textAt(each, 'name'), path: textAt(each, key) })),
});

/** A volume is a folder or a device, and so is a place. */
function overlapErrors(at: Place, own: Place, { places, of }: Others): Errors {
  const errors: FieldError[] = [];
  if (places.some(({ name }) => name === own.name)) {
    errors.push(invalid(at.name, own.name, `must not already exist in ${of}`));
  }
  if (places.some(({ path }) => path === own.path)) {
    errors.push(invalid(at.path, own.path, `must not already exist as a path in ${of}`));
  }
  return errors;
}

/** The real server names the list, not the mount, where a path leads astray. */
function subPathErrors(list: string, at: string, mount: JsonObject): Errors {
  const [path, expression] = [textAt(mount, 'subPath'), textAt(mount, 'subPathExpr')];
  if (path === '' && expression === '') return NONE;
  const isBoth = path !== '' && expression !== '';
  const both = 'subPathExpr and subPath are mutually exclusive';
  return [
    ...(path === '' ? NONE : descendingErrors(`${list}.subPath`, path)),
    ...(isBoth ? [invalid(`${at}.subPathExpr`, expression, both)] : NONE),
    ...(expression === '' ? NONE : descendingErrors(`${list}.subPathExpr`, expression)),
  ];
}

function propagationErrors(list: string, mount: JsonObject, container: JsonObject): Errors {
  const { mountPropagation: how } = mount;
  if (how === undefined) return NONE;
  const path = `${list}.mountPropagation`;
  const isFree = how !== 'Bidirectional' || securityOf(container).privileged === true;
  const why = 'Bidirectional mount propagation is available only to privileged containers';
  return [...supportedErrors(path, how, PROPAGATIONS), ...(isFree ? NONE : [forbidden(path, why)])];
}

function readOnlyErrors(path: string, mount: JsonObject): Errors {
  const { recursiveReadOnly: how } = mount;
  if (how === undefined || how === 'Disabled') return NONE;
  if (how !== 'Enabled' && how !== 'IfPossible') return supportedErrors(path, how, READ_ONLY);
  const isPropagated = mount.mountPropagation !== undefined && mount.mountPropagation !== 'None';
  const why = 'may only be specified when mountPropagation is None or not specified';
  return [
    ...(mount.readOnly === true ? NONE : [forbidden(path, 'may only be specified when readOnly is true')]),
    ...(isPropagated ? [forbidden(path, why)] : NONE),
  ];
}

export const deviceErrors: Check<ContainerView> = (path, _, { container, pod }) => {
  const [names, places] = [new Set<string>(), new Set<string>()];
  const mounts = among(objectsAt(container, 'volumeMounts'), 'mountPath', 'volumeMounts');
  return objectsAt(container, 'volumeDevices').flatMap((device, index) => {
    const at = { name: `${path}[${index}].name`, path: `${path}[${index}].devicePath` };
    const own = { name: textAt(device, 'name'), path: textAt(device, 'devicePath') };
    return [
      ...deviceNameErrors(at.name, own.name, names),
      ...blockErrors(at.name, own.name, pod.volumes.get(own.name)),
      ...devicePathErrors(at.path, own.path, places),
      ...overlapErrors(at, own, mounts),
    ];
  });
};

function deviceNameErrors(path: string, name: string, seen: Set<string>): Errors {
  if (name === '') return [required(path)];
  if (seen.has(name)) return [invalid(path, name, 'must be unique')];
  seen.add(name);
  return NONE;
}

function devicePathErrors(path: string, place: string, seen: Set<string>): Errors {
  const isTwice = seen.has(place);
  const isBack = goesBack(place);
  if (!isBack) seen.add(place);
  return [
    ...(place === '' ? [required(path)] : NONE),
    ...(isTwice ? [invalid(path, place, 'must be unique')] : NONE),
    ...(isBack ? [invalid(path, place, "can not contain backsteps ('..')")] : NONE),
  ];
}

function blockErrors(path: string, name: string, volume: JsonObject | undefined): Errors {
  if (volume === undefined) return [notFound(path, name)];
  const isClaimed = isObject(volume.persistentVolumeClaim) || isObject(volume.ephemeral);
  const why = 'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode';
  return isClaimed ? NONE : [invalid(path, name, why)];
}
