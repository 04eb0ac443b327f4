// What a Pod's volumes must be: named once, of one kind, with what that kind needs.

import type { JsonObject } from '../../parts.ts';
import { duplicate, forbidden, invalid, required } from '../../schema/field-errors.ts';
import { isObject, objectAt, textAt } from '../json.ts';
import { nanoOf } from '../quantity.ts';
import { ephemeralVolumeErrors } from './claim-templates.ts';
import { NONE, supportedErrors } from './fields.ts';
import { type Errors, labelErrors } from './texts.ts';
import {
  configMapVolumeErrors,
  downwardVolumeErrors,
  projectedVolumeErrors,
  secretVolumeErrors,
} from './volume-files.ts';
import * as sources from './volume-sources.ts';

const { needing } = sources;
const MAX_PORTAL = 64;
const PULLS = ['Always', 'IfNotPresent', 'Never'];

interface Kind {
  readonly key: string;
  readonly check: sources.SourceCheck;
  /** Where the real server looks inside, and where it finds one too many; mostly the key itself. */
  readonly inside?: string;
  readonly tooMany?: string;
}

/** In the order in which they are looked at: the first is the one that counts. */
const KINDS: readonly Kind[] = [
  { key: 'emptyDir', check: emptyDirErrors },
  { key: 'hostPath', check: sources.hostPathErrors },
  { key: 'gitRepo', check: sources.gitRepoErrors },
  { key: 'gcePersistentDisk', check: sources.diskErrors('pdName'), inside: 'persistentDisk' },
  { key: 'awsElasticBlockStore', check: sources.diskErrors('volumeID') },
  { key: 'secret', check: secretVolumeErrors },
  { key: 'nfs', check: sources.nfsErrors },
  { key: 'iscsi', check: sources.iscsiErrors },
  { key: 'glusterfs', check: needing('endpoints', 'path') },
  { key: 'flocker', check: sources.flockerErrors },
  { key: 'persistentVolumeClaim', check: needing('claimName') },
  { key: 'rbd', check: sources.rbdErrors },
  { key: 'cinder', check: sources.cinderErrors },
  { key: 'cephfs', check: sources.cephErrors, tooMany: 'cephFS' },
  { key: 'quobyte', check: sources.quobyteErrors },
  { key: 'downwardAPI', check: downwardVolumeErrors, tooMany: 'downwarAPI' },
  { key: 'fc', check: sources.fibreChannelErrors },
  { key: 'flexVolume', check: sources.flexErrors },
  { key: 'configMap', check: configMapVolumeErrors },
  { key: 'azureFile', check: needing('secretName', 'shareName') },
  { key: 'vsphereVolume', check: needing('volumePath') },
  { key: 'photonPersistentDisk', check: needing('pdID') },
  { key: 'portworxVolume', check: needing('volumeID') },
  { key: 'azureDisk', check: sources.azureDiskErrors },
  { key: 'storageos', check: sources.storageOsErrors },
  { key: 'projected', check: projectedVolumeErrors },
  { key: 'scaleIO', check: needing('gateway', 'system', 'volumeName') },
  { key: 'csi', check: sources.csiErrors },
  { key: 'ephemeral', check: ephemeralVolumeErrors },
  { key: 'image', check: imageErrors },
];
const ORDER: ReadonlyMap<string, number> = new Map(KINDS.map(({ key }, index) => [key, index]));

/** Templates may leave open which image a volume is of. */
export function volumeErrors(path: string, volumes: readonly JsonObject[], of: 'Pod' | 'template'): Errors {
  const names = volumes.map(volume => textAt(volume, 'name'));
  return volumes.flatMap((volume, index) => {
    const [at, name] = [`${path}[${index}]`, names[index] ?? ''];
    const named = name === '' ? [required(`${at}.name`)] : labelErrors(`${at}.name`, name);
    const twice = name !== '' && names.indexOf(name) < index ? [duplicate(`${at}.name`, name)] : NONE;
    const open = of === 'Pod' && volume.image !== undefined ? imageNameErrors(`${at}.image`, volume) : NONE;
    return [...open, ...sourceErrors(at, volume), ...named, ...twice];
  });
}

/** Only the fields that are there are looked at. */
function kindsOf(volume: JsonObject): readonly Kind[] {
  const given = Object.keys(volume).filter(key => ORDER.has(key) && isObject(volume[key]));
  if (given.length > 1) given.sort((a, b) => (ORDER.get(a) ?? 0) - (ORDER.get(b) ?? 0));
  return given.flatMap(key => KINDS[ORDER.get(key) ?? -1] ?? NONE_OF_THEM);
}

const NONE_OF_THEM: readonly Kind[] = [];

function sourceErrors(path: string, volume: JsonObject): Errors {
  const [first, ...others] = kindsOf(volume);
  if (first === undefined) return [required(path, 'must specify a volume type')];
  const source = volume[first.key];
  return [
    ...(isObject(source) ? first.check(`${path}.${first.inside ?? first.key}`, source) : NONE),
    ...portalErrors(path, volume),
    ...others.map(({ key, tooMany = key }) =>
      forbidden(`${path}.${tooMany}`, 'may not specify more than 1 volume type'),
    ),
  ];
}

function emptyDirErrors(path: string, { sizeLimit }: JsonObject): Errors {
  if (sizeLimit === undefined || (nanoOf(String(sizeLimit)) ?? 0n) >= 0n) return NONE;
  return [forbidden(`${path}.sizeLimit`, 'SizeLimit field must be a valid resource quantity')];
}

function imageNameErrors(path: string, volume: JsonObject): Errors {
  const [first] = kindsOf(volume);
  return first?.key === 'image' ? needing('reference')(path, objectAt(volume, 'image')) : NONE;
}

function imageErrors(path: string, source: JsonObject): Errors {
  return supportedErrors(`${path}.pullPolicy`, textAt(source, 'pullPolicy'), PULLS);
}

/** The initiator is told both in one text. */
function portalErrors(path: string, { iscsi, name }: JsonObject): Errors {
  if (!isObject(iscsi) || typeof iscsi.initiatorName !== 'string') return NONE;
  const [volumeName, portal] = [typeof name === 'string' ? name : '', textAt(iscsi, 'targetPortal')];
  const why =
    'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.';
  return `${volumeName}:${portal}`.length > MAX_PORTAL ? [invalid(`${path}.name`, volumeName, why)] : NONE;
}
