// What our definitions of the Metal3 kinds say beyond upstream's tables: labels, descriptions, and conditions where upstream has none.

import type { ByPath } from './schema-of-table.ts';
import type { FieldRow } from './table.ts';

/** Kinds whose status gets `conditions`, so that a wait has a place where it is told (metal issue, API). */
const WITH_CONDITIONS: ReadonlySet<string> = new Set([
  'Metal3DataTemplate',
  'Metal3DataClaim',
  'Metal3Data',
  'Metal3Remediation',
  'IPPool',
  'IPClaim',
]);

const CONDITION_TYPE =
  '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$';

const condition = (field: string, row: Omit<FieldRow, 'path'>): FieldRow => ({
  path: `status.conditions[].${field}`,
  ...row,
});

/** `metav1.Condition`, in every version alike, so that converting loses none. */
const CONDITIONS: readonly FieldRow[] = [
  {
    path: 'status.conditions',
    type: 'array',
    required: false,
    bounds: { maxItems: 32, listType: 'map', listMapKeys: ['type'] },
  },
  { path: 'status.conditions[]', type: 'object', required: false, bounds: {} },
  condition('lastTransitionTime', { type: 'string', required: true, bounds: { format: 'date-time' } }),
  condition('message', { type: 'string', required: true, bounds: { maxLength: 32768 } }),
  condition('observedGeneration', { type: 'integer', required: false, bounds: { minimum: 0, format: 'int64' } }),
  condition('reason', {
    type: 'string',
    required: true,
    bounds: { minLength: 1, maxLength: 1024, pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$' },
  }),
  condition('status', { type: 'string', required: true, bounds: { enum: ['True', 'False', 'Unknown'] } }),
  condition('type', { type: 'string', required: true, bounds: { maxLength: 316, pattern: CONDITION_TYPE } }),
];

/** The fields of one version with ours. */
export const withConditions = (kind: string, fields: readonly FieldRow[]): readonly FieldRow[] =>
  WITH_CONDITIONS.has(kind) ? [...fields, ...CONDITIONS] : fields;

/** One sentence a kind. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  Metal3Cluster: 'A cluster of bare-metal hosts.',
  Metal3ClusterTemplate: 'What Metal3Clusters of a cluster class are made from.',
  Metal3Machine: 'A Machine on a bare-metal host.',
  Metal3MachineTemplate: 'What Metal3Machines are made from.',
  Metal3DataTemplate: 'What the metadata and network data of hosts are rendered from, each host with its own index.',
  Metal3DataClaim: 'The wish of a Metal3Machine for data of its own.',
  Metal3Data: 'The data of one host: one index of its template, and the secrets rendered for it.',
  Metal3Remediation: 'The repair of one unhealthy Metal3Machine.',
  Metal3RemediationTemplate: 'What Metal3Remediations are made from.',
  IPPool: 'Ranges of addresses, of which claims get one each.',
  IPClaim: 'The wish for one address of a pool.',
  IPAddress: 'One address of a pool, held for a claim.',
};

const CONDITIONS_DESCRIPTION = 'What holds of this object and what it waits for.';

export const descriptionsOf = (kind: string): ByPath<string> => ({
  '': DESCRIPTIONS[kind] ?? '',
  ...(WITH_CONDITIONS.has(kind) ? { 'status.conditions': CONDITIONS_DESCRIPTION } : {}),
});

/** clusterctl moves these though no Cluster owns them. */
const MOVED: ReadonlySet<string> = new Set(['Metal3DataTemplate']);

/** Their plural is not what Cluster API would make of the kind. */
const UNUSUAL_PLURAL: ReadonlySet<string> = new Set(['Metal3Data']);

const PROVIDERS: Readonly<Record<string, string>> = {
  'infrastructure.cluster.x-k8s.io': 'infrastructure-metal3',
  'ipam.metal3.io': 'ipam-metal3',
};

/** Labels and annotations that Cluster API and clusterctl read. */
export function metadataOf(name: string, kind: string, versions: readonly string[]): object {
  const group = name.slice(name.indexOf('.') + 1);
  const contract = versions.includes('v1beta2')
    ? { 'cluster.x-k8s.io/v1beta1': 'v1beta1', 'cluster.x-k8s.io/v1beta2': 'v1beta2' }
    : { 'cluster.x-k8s.io/v1beta1': versions.join('_'), 'cluster.x-k8s.io/v1beta2': versions.join('_') };
  return {
    name,
    labels: {
      'cluster.x-k8s.io/provider': PROVIDERS[group],
      // `clusterctl init` puts it on what it installs; without it clusterctl passes the kind by, and moves a fleet by halves.
      'clusterctl.cluster.x-k8s.io': '',
      ...contract,
      ...(MOVED.has(kind) ? { 'clusterctl.cluster.x-k8s.io/move': '' } : {}),
    },
    ...(UNUSUAL_PLURAL.has(kind)
      ? { annotations: { 'clusterctl.cluster.x-k8s.io/skip-crd-name-preflight-check': '' } }
      : {}),
  };
}
