// Which admission plugins of kube-apiserver can be had or done without: asked for by name, refused by name.

import { SERVER_PLUGINS, type ServerPlugin } from '../../apiserver/admission/server-plugins.ts';
import { CLUSTER_PLUGINS, type ClusterPlugin } from '../../apiserver/builtin/index.ts';
import { defineError } from '../../base/errors.ts';

/** They run whatever is asked for. NodeRestriction is off in kube-apiserver unless it is enabled; it matters to Nodes alone. */
const ALWAYS = ['CertificateApproval', 'CertificateSigning', 'CertificateSubjectRestriction', 'NodeRestriction'];

/** On by default in kube-apiserver, and never here: to disable them asks for nothing. */
const NEVER = [
  'ClusterTrustBundleAttest',
  'JobValidation',
  'MutatingAdmissionPolicy',
  'NodeDeclaredFeatureValidator',
  'PodGroupProtection',
  'PodGroupWorkloadExists',
  'PodResizeValidator',
  'ResourceQuota',
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

const pluginBoth = defineError('PIPPIN_E_ENVTEST_PLUGIN_BOTH', {
  retry: 'never',
  remedy: 'Leave it out of one of them',
  says: (name: string) =>
    `${JSON.stringify(name)} is in both --enable-admission-plugins and --disable-admission-plugins`,
});

export interface PluginChoice {
  readonly enabledPlugins: readonly string[];
  readonly disabledPlugins: readonly string[];
}

/** Which of the plugins that can be switched off are. */
export function pluginsOff({ enabledPlugins, disabledPlugins }: PluginChoice): readonly ClusterPlugin[] {
  const absent = enabledPlugins.find(name => !isBuiltIn(name) && !ALWAYS.includes(name));
  if (absent !== undefined) throw pluginAbsent(absent);
  const fixed = disabledPlugins.find(name => !isBuiltIn(name) && !NEVER.includes(name));
  if (fixed !== undefined) throw pluginFixed(fixed);
  const both = enabledPlugins.find(name => disabledPlugins.includes(name));
  if (both !== undefined) throw pluginBoth(both);
  return CLUSTER_PLUGINS.filter(name => disabledPlugins.includes(name));
}

/** The same of those that are part of the server. */
export const serverPluginsOff = ({ disabledPlugins }: PluginChoice): readonly ServerPlugin[] =>
  SERVER_PLUGINS.filter(name => disabledPlugins.includes(name));

const isBuiltIn = (name: string): boolean => [...CLUSTER_PLUGINS, ...SERVER_PLUGINS].some(each => each === name);
