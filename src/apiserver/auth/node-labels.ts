// Which labels a node may set on itself: none that would steer other people's Pods to it.

/** Labels under kubernetes.io that describe the machine, and so are the kubelet's to set. */
const ALLOWED = new Set([
  'kubernetes.io/hostname',
  'kubernetes.io/os',
  'kubernetes.io/arch',
  'beta.kubernetes.io/os',
  'beta.kubernetes.io/arch',
  'beta.kubernetes.io/instance-type',
  'node.kubernetes.io/instance-type',
  'topology.kubernetes.io/zone',
  'topology.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region',
]);

type Labels = Readonly<Record<string, string>>;

/** The labels that differ between the two and are not the node's to change; sorted. */
export function forbiddenLabelChanges(after: Labels, before: Labels): readonly string[] {
  const keys = new Set([...Object.keys(after), ...Object.keys(before)]);
  return [...keys].filter(key => after[key] !== before[key] && !isNodesOwn(key)).sort();
}

function isNodesOwn(key: string): boolean {
  const slash = key.indexOf('/');
  const prefix = slash < 0 ? '' : key.slice(0, slash);
  if (isUnder(prefix, 'node-restriction.kubernetes.io')) return false;
  if (!isUnder(prefix, 'kubernetes.io') && !isUnder(prefix, 'k8s.io')) return true;
  return ALLOWED.has(key) || isUnder(prefix, 'kubelet.kubernetes.io') || isUnder(prefix, 'node.kubernetes.io');
}

const isUnder = (prefix: string, domain: string): boolean => prefix === domain || prefix.endsWith(`.${domain}`);
