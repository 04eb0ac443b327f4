// What volumes of older drivers get when their author did not say, in Pods and as volumes of the cluster.

import type { Json } from '../../parts.ts';
import type { Draft } from '../json.ts';
import { draftAt, fill, fillAbsent } from './fill.ts';

type Fields = readonly (readonly [key: string, value: Json])[];

/** An empty text is none. */
const TEXTS: Readonly<Record<string, Fields>> = {
  iscsi: [['iscsiInterface', 'default']],
  rbd: [
    ['pool', 'rbd'],
    ['user', 'admin'],
    ['keyring', '/etc/ceph/keyring'],
  ],
  scaleIO: [
    ['storageMode', 'ThinProvisioned'],
    ['fsType', 'xfs'],
  ],
};
/** An empty text is what their author said. */
const POINTERS: Readonly<Record<string, Fields>> = {
  azureDisk: [
    ['cachingMode', 'ReadWrite'],
    ['kind', 'Shared'],
    ['fsType', 'ext4'],
    ['readOnly', false],
  ],
};

export function defaultSources(holder: Draft): void {
  for (const key of Object.keys(holder)) {
    const source = draftAt(holder, key);
    if (source === undefined) continue;
    for (const [name, value] of TEXTS[key] ?? []) fill(source, name, value);
    for (const [name, value] of POINTERS[key] ?? []) fillAbsent(source, name, value);
  }
}
