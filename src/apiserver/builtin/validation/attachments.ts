// What is attached to a Node: a volume of the cluster or one that is described in place, which stays what it is.

import type { Json, JsonObject } from '../../parts.ts';
import { forbidden, invalid, required, tooLong } from '../../schema/field-errors.ts';
import { isObject, numberAt, objectAt, sameJson, textAt } from '../json.ts';
import { NONE } from './fields.ts';
import { inlineVolumeErrors } from './persistent-volumes.ts';
import { type Errors, subdomainErrors } from './texts.ts';
import { driverErrors } from './volume-sources.ts';

const MAX_BYTES = 256 * 1024;
const MAX_MESSAGE_BYTES = 1024;
const MAX_CODE = 2_147_483_647;

export function attachmentErrors(attachment: JsonObject, old: JsonObject | undefined): Errors {
  const [spec, status] = [objectAt(attachment, 'spec'), objectAt(attachment, 'status')];
  return [
    ...driverErrors('spec.attacher', textAt(spec, 'attacher')),
    ...sourceErrors('spec.source', objectAt(spec, 'source')),
    ...subdomainErrors('spec.nodeName', textAt(spec, 'nodeName')),
    ...metadataErrors('status.attachmentMetadata', objectAt(status, 'attachmentMetadata')),
    ...['attachError', 'detachError'].flatMap(key => failureErrors(`status.${key}`, status[key])),
    ...(old === undefined || sameJson(spec, objectAt(old, 'spec'))
      ? NONE
      : [invalid('spec', shown(spec), 'field is immutable')]),
  ];
}

/** Kubernetes shows it as its own code has it. */
function shown(spec: JsonObject): Json {
  const { persistentVolumeName = null, inlineVolumeSpec = null } = objectAt(spec, 'source');
  return {
    Attacher: textAt(spec, 'attacher'),
    Source: { PersistentVolumeName: persistentVolumeName, InlineVolumeSpec: inlineVolumeSpec },
    NodeName: textAt(spec, 'nodeName'),
  };
}

function sourceErrors(path: string, { inlineVolumeSpec, persistentVolumeName: name }: JsonObject): Errors {
  const why = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';
  if (isObject(inlineVolumeSpec)) {
    if (typeof name === 'string') return [forbidden(path, why)];
    return inlineVolumeErrors(`${path}.inlineVolumeSpec`, inlineVolumeSpec);
  }
  if (typeof name !== 'string') return [required(path, why)];
  const [at, empty] = [`${path}.persistentVolumeName`, 'must specify non empty persistentVolumeName'];
  return name === '' ? [required(at, empty)] : subdomainErrors(at, name);
}

function metadataErrors(path: string, metadata: JsonObject): Errors {
  const bytes = Object.entries(metadata).reduce((sum, [key, value]) => sum + key.length + String(value).length, 0);
  return bytes > MAX_BYTES ? [tooLong(path, MAX_BYTES)] : NONE;
}

function failureErrors(path: string, failure: Json | undefined): Errors {
  if (!isObject(failure)) return NONE;
  const code = numberAt(failure, 'errorCode') ?? 0;
  const isLong = textAt(failure, 'message').length > MAX_MESSAGE_BYTES;
  const range = `must be between 0 and ${MAX_CODE}, inclusive`;
  return [
    // The real server tells of the other limit.
    ...(isLong ? [tooLong(`${path}.message`, MAX_BYTES)] : NONE),
    ...(code < 0 || code > MAX_CODE ? [invalid(`${path}.errorCode`, code, range)] : NONE),
  ];
}
