// What a volume gets when its author did not say: file modes, and an empty folder where there is no source.

import type { Draft } from '../json.ts';
import { defaultFieldRef, defaultPull } from './container.ts';
import { draftAt, draftsAt, fill, fillAbsent } from './fill.ts';
import { defaultSources } from './volume-sources.ts';

/** 0644. */
const FILE_MODE = 420;
const TOKEN_SECONDS = 3600;

export function defaultVolume(volume: Draft): void {
  if (Object.keys(volume).every(key => key === 'name')) volume.emptyDir = {};
  defaultSources(volume);
  const image = draftAt(volume, 'image');
  if (image !== undefined) defaultPull(image, 'pullPolicy', 'reference');
  for (const key of ['secret', 'configMap', 'downwardAPI', 'projected']) {
    const source = draftAt(volume, key);
    if (source !== undefined) fillAbsent(source, 'defaultMode', FILE_MODE);
  }
  for (const item of draftsAt(draftAt(volume, 'downwardAPI') ?? {}, 'items')) defaultFieldRef(item);
  for (const source of draftsAt(draftAt(volume, 'projected') ?? {}, 'sources')) defaultProjection(source);
  const hostPath = draftAt(volume, 'hostPath');
  if (hostPath !== undefined) fillAbsent(hostPath, 'type', '');
  const template = draftAt(draftAt(volume, 'ephemeral') ?? {}, 'volumeClaimTemplate');
  if (template !== undefined) defaultClaimSpec(draftAt(template, 'spec'));
}

function defaultProjection(source: Draft): void {
  const token = draftAt(source, 'serviceAccountToken');
  if (token !== undefined) fillAbsent(token, 'expirationSeconds', TOKEN_SECONDS);
  for (const item of draftsAt(draftAt(source, 'downwardAPI') ?? {}, 'items')) defaultFieldRef(item);
}

export function defaultClaimSpec(spec: Draft | undefined): void {
  if (spec !== undefined) fill(spec, 'volumeMode', 'Filesystem');
}
