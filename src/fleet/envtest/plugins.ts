// Which admission plugins of kube-apiserver can be had or done without: asked for by name, refused by name.

import { defaultAdmission } from '../../apiserver/builtin/index.ts';
import type { Admission, JsonObject } from '../../apiserver/parts.ts';
import { defineError } from '../../base/errors.ts';

/** They run whatever is asked for. NodeRestriction is off in kube-apiserver unless it is enabled; it matters to Nodes alone. */
const ALWAYS = [
  'CertificateApproval',
  'CertificateSigning',
  'CertificateSubjectRestriction',
  'DefaultTolerationSeconds',
  'MutatingAdmissionWebhook',
  'NamespaceLifecycle',
  'NodeRestriction',
  'Priority',
  'TaintNodesByCondition',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionWebhook',
];

/** Runs unless it is disabled. */
const SERVICE_ACCOUNT = 'ServiceAccount';

/** On by default in kube-apiserver, and never here: to disable them asks for nothing. */
const NEVER = [
  'ClusterTrustBundleAttest',
  'DefaultIngressClass',
  'DefaultStorageClass',
  'JobValidation',
  'LimitRanger',
  'MutatingAdmissionPolicy',
  'NodeDeclaredFeatureValidator',
  'PersistentVolumeClaimResize',
  'PodGroupProtection',
  'PodGroupWorkloadExists',
  'PodResizeValidator',
  'PodSecurity',
  'PodTopologyLabels',
  'ResourceQuota',
  'RuntimeClass',
  'StorageObjectInUseProtection',
];

const pluginAbsent = defineError('PIPPIN_E_ENVTEST_PLUGIN_ABSENT', {
  retry: 'never',
  remedy: 'Leave it out, or test against the real kube-apiserver what depends on it',
  says: (name: string) => `--enable-admission-plugins: the plugin ${JSON.stringify(name)} is not built in`,
});

const pluginFixed = defineError('PIPPIN_E_ENVTEST_PLUGIN_FIXED', {
  retry: 'never',
  remedy: 'Leave it out, or test against the real kube-apiserver what depends on its absence',
  says: (name: string) => `--disable-admission-plugins: ${JSON.stringify(name)} cannot be switched off here`,
});

export interface PluginChoice {
  readonly enabledPlugins: readonly string[];
  readonly disabledPlugins: readonly string[];
}

/** What becomes of the admission that always runs. */
export function chosenPlugins({ enabledPlugins, disabledPlugins }: PluginChoice): (admission: Admission) => Admission {
  const absent = enabledPlugins.find(name => name !== SERVICE_ACCOUNT && !ALWAYS.includes(name));
  if (absent !== undefined) throw pluginAbsent(absent);
  const fixed = disabledPlugins.find(name => name !== SERVICE_ACCOUNT && !NEVER.includes(name));
  if (fixed !== undefined) throw pluginFixed(fixed);
  const withAccounts = !disabledPlugins.includes(SERVICE_ACCOUNT);
  return admission => (withAccounts || admission !== defaultAdmission ? admission : withoutAccounts);
}

/** A Pod that names no service account gets none. */
const withoutAccounts: Admission = call => {
  const answer = defaultAdmission(call);
  const isNewPod = call.resource.storageName === 'pods' && call.old === undefined && call.attributes.subresource === '';
  if (!isNewPod || 'refused' in answer || answer.object === undefined) return answer;
  const { spec } = answer.object;
  if (!isObject(spec)) return answer;
  const { serviceAccountName: _name, serviceAccount: _old, ...others } = spec;
  const asked = isObject(call.object?.spec) ? accountIn(call.object.spec) : {};
  return { ...answer, object: { ...answer.object, spec: { ...others, ...asked } } };
};

function accountIn({ serviceAccountName, serviceAccount }: JsonObject): JsonObject {
  return {
    ...(serviceAccountName === undefined ? {} : { serviceAccountName }),
    ...(serviceAccount === undefined ? {} : { serviceAccount }),
  };
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
