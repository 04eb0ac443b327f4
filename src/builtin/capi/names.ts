// Cluster API's labels, annotations and finalizers, as far as its core writes and reads them.

export const MACHINE_FINALIZER = 'machine.cluster.x-k8s.io';
export const MACHINE_SET_FINALIZER = 'cluster.x-k8s.io/machineset';
export const MACHINE_DEPLOYMENT_FINALIZER = 'cluster.x-k8s.io/machinedeployment';
export const CLUSTER_FINALIZER = 'cluster.cluster.x-k8s.io';

export const DEPLOYMENT_NAME_LABEL = 'cluster.x-k8s.io/deployment-name';
export const SET_NAME_LABEL = 'cluster.x-k8s.io/set-name';
export const CONTROL_PLANE_LABEL = 'cluster.x-k8s.io/control-plane';
export const TEMPLATE_HASH_LABEL = 'machine-template-hash';

/** On objects made from a template: which one, and its kind and group joined by a dot. */
export const CLONED_FROM_NAME = 'cluster.x-k8s.io/cloned-from-name';
export const CLONED_FROM_KIND = 'cluster.x-k8s.io/cloned-from-groupkind';

/** Marks the Machine that goes first when its set shrinks. */
export const DELETE_MACHINE = 'cluster.x-k8s.io/delete-machine';

/** On a MachineSet of an earlier template: it makes no more Machines. */
export const DISABLE_MACHINE_CREATE = 'cluster.x-k8s.io/disable-machine-create';

export const PRE_DRAIN_HOOK = 'pre-drain.delete.hook.machine.cluster.x-k8s.io';
export const PRE_TERMINATE_HOOK = 'pre-terminate.delete.hook.machine.cluster.x-k8s.io';
export const EXCLUDE_DRAIN = 'machine.cluster.x-k8s.io/exclude-node-draining';
export const EXCLUDE_VOLUME_WAIT = 'machine.cluster.x-k8s.io/exclude-wait-for-node-volume-detach';

/** Label of a Pod, value `skip`: a drain leaves it alone. */
export const POD_DRAIN_LABEL = 'cluster.x-k8s.io/drain';

export const SKIP_REMEDIATION = 'cluster.x-k8s.io/skip-remediation';
export const REMEDIATE_MACHINE = 'cluster.x-k8s.io/remediate-machine';

/** Of Machines: False while a health check holds that it is unhealthy, and while its owner has yet to replace it. */
export const HEALTH_CHECK_SUCCEEDED = 'HealthCheckSucceeded';
export const OWNER_REMEDIATED = 'OwnerRemediated';
/** Of Machines: False while an object of a provider's has them repaired. */
export const EXTERNALLY_REMEDIATED = 'ExternallyRemediated';

/** On Nodes: which Machine stands behind them. */
export const NODE_CLUSTER_NAME = 'cluster.x-k8s.io/cluster-name';
export const NODE_CLUSTER_NAMESPACE = 'cluster.x-k8s.io/cluster-namespace';
export const NODE_MACHINE = 'cluster.x-k8s.io/machine';
export const NODE_OWNER_KIND = 'cluster.x-k8s.io/owner-kind';
export const NODE_OWNER_NAME = 'cluster.x-k8s.io/owner-name';
