// ServiceAccount: a Pod runs as an account that is there, with its pull secrets and a token in every container.

import type { Random } from '../../../base/random.ts';
import { nameSuffix } from '../../../base/random.ts';
import type { Admission, Json, JsonObject } from '../../parts.ts';
import { isObject, listAt, objectAt, objectsAt, textAt } from '../json.ts';
import { kept, onNewPods, type PluginWorld, refused, withSpec } from './new-pod.ts';

const MOUNT_PATH = '/var/run/secrets/kubernetes.io/serviceaccount';
/** An hour, and a little that a client may be late. */
const TOKEN_SECONDS = 3607;
const MIRROR = 'kubernetes.io/config.mirror';

export function serviceAccounts({ stored, random }: PluginWorld & { readonly random: Random }): Admission {
  return onNewPods((pod, call) => {
    if (textAt(objectAt(objectAt(pod, 'metadata'), 'annotations'), MIRROR) !== '') return kept(pod);
    const { namespace } = call.attributes;
    const name = textAt(objectAt(pod, 'spec'), 'serviceAccountName');
    const account = stored.get('serviceaccounts', namespace, name);
    if (account === undefined) {
      return refused(call, `error looking up service account ${namespace}/${name}: serviceaccount "${name}" not found`);
    }
    return kept(withToken(withPullSecrets(pod, account), account, random));
  });
}

function withPullSecrets(pod: JsonObject, account: JsonObject): JsonObject {
  const has = listAt(objectAt(pod, 'spec'), 'imagePullSecrets').length > 0;
  const secrets = listAt(account, 'imagePullSecrets');
  return has || secrets.length === 0 ? pod : withSpec(pod, { imagePullSecrets: secrets });
}

function withToken(pod: JsonObject, account: JsonObject, random: Random): JsonObject {
  const spec = objectAt(pod, 'spec');
  const wanted = spec.automountServiceAccountToken ?? account.automountServiceAccountToken ?? true;
  if (wanted !== true || all(spec).every(isMounted)) return pod;
  const name = `kube-api-access-${nameSuffix(random)}`;
  const mounted = (list: string): JsonObject => {
    const containers = listAt(spec, list);
    return containers.length === 0 ? {} : { [list]: containers.map(container => withMount(container, name)) };
  };
  return withSpec(pod, {
    volumes: [...listAt(spec, 'volumes'), { name, projected: PROJECTED }],
    ...mounted('initContainers'),
    ...mounted('containers'),
  });
}

const all = (spec: JsonObject): readonly JsonObject[] => [
  ...objectsAt(spec, 'initContainers'),
  ...objectsAt(spec, 'containers'),
];

const isMounted = (container: JsonObject): boolean =>
  objectsAt(container, 'volumeMounts').some(mount => mount.mountPath === MOUNT_PATH);

function withMount(container: Json, name: string): Json {
  if (!isObject(container) || isMounted(container)) return container;
  const mount = { name, readOnly: true, mountPath: MOUNT_PATH };
  return { ...container, volumeMounts: [...listAt(container, 'volumeMounts'), mount] };
}

const PROJECTED: JsonObject = {
  sources: [
    { serviceAccountToken: { expirationSeconds: TOKEN_SECONDS, path: 'token' } },
    { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
    {
      downwardAPI: { items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }] },
    },
  ],
  defaultMode: 420,
};
