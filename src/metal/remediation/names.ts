// What a remediation leaves on other objects, and by which name it knows its own again.

import type { Metal3Remediation } from '../../kinds/generated/metal3-remediation.generated.ts';
import { HOST_REBOOT_ANNOTATION_PREFIX } from '../../kinds/metal-wire.ts';

const POWER_OFF_PREFIX = `${HOST_REBOOT_ANNOTATION_PREFIX}metal3-remediation-`;

/** On a host: keeps it without power while it is there. Its name holds the UID of the remediation that put it. */
export const powerOffKey = ({ metadata }: Metal3Remediation): string => `${POWER_OFF_PREFIX}${metadata.uid}`;

/** Cut at once: the system on it is not asked. */
export const POWER_OFF_VALUE = JSON.stringify({ mode: 'hard' });

/** The UIDs of the remediations that keep a host without power. */
export const powerOffUids = (annotations: Readonly<Record<string, string>> = {}): readonly string[] =>
  Object.keys(annotations)
    .filter(key => key.startsWith(POWER_OFF_PREFIX))
    .map(key => key.slice(POWER_OFF_PREFIX.length));

export const powerOffKeyOf = (uid: string): string => `${POWER_OFF_PREFIX}${uid}`;

/** The value of a host's unhealthy annotation, as running clusters have it. */
export const UNHEALTHY_VALUE = 'capm3/UnhealthyNode';

/** On the remediation: what its Node bore before it was deleted, as JSON. */
export const ANNOTATIONS_BACKUP = 'remediation.metal3.io/node-annotations-backup';
export const LABELS_BACKUP = 'remediation.metal3.io/node-labels-backup';

/** On the remediation, before its Node is tainted: the Node's UID. A taint of anybody else's bears no name to tell it by. */
export const TAINTED_NODE = 'pippin.dev/tainted-node';

/** On a Node: it is off, and what ran on it may run elsewhere. */
export const OUT_OF_SERVICE = {
  key: 'node.kubernetes.io/out-of-service',
  value: 'nodeshutdown',
  effect: 'NoExecute',
} as const;
