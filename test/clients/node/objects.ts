// Objects through the JavaScript client: made, patched in every way, refused.

import {
  AppsV1Api,
  CustomObjectsApi,
  KubernetesObjectApi,
  PatchStrategy,
  setHeaderOptions,
  VersionApi,
} from '@kubernetes/client-node';
import { refusal, type Stage } from './stage.ts';

export async function objects({ core, config, namespace, say }: Stage): Promise<void> {
  say((await config.makeApiClient(VersionApi).getCode()).gitVersion);
  const made = await core.createNamespacedConfigMap({
    namespace,
    body: { metadata: { name: 'settings', labels: { a: 'b' } }, data: { colour: 'green' } },
  });
  say(`${made.metadata?.name} ${JSON.stringify(made.data)} ${made.metadata?.creationTimestamp instanceof Date}`);
  const listed = await core.listNamespacedConfigMap({ namespace, labelSelector: 'a=b' });
  say(`${listed.kind} of ${listed.items.length}`);

  const generic = KubernetesObjectApi.makeApiClient(config);
  const read = await generic.read({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings', namespace } });
  say(`${read.kind} ${read.metadata?.name}`);
  const applied = await generic.patch(
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'settings', namespace },
      data: { size: 'large' },
    } as typeof read,
    undefined,
    undefined,
    'tour',
    true,
    PatchStrategy.ServerSideApply,
  );
  say(JSON.stringify(applied.metadata?.managedFields?.map(({ manager, operation }) => [manager, operation])));
  const deleted = await core.deleteNamespacedConfigMap({ namespace, name: 'settings' });
  say(`${deleted.status} ${deleted.details?.name}`);
}

export async function patches({ config, namespace, say }: Stage): Promise<void> {
  const apps = config.makeApiClient(AppsV1Api);
  const labels = { app: 'web' };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'web:1' }] } };
  const spec = { replicas: 1, selector: { matchLabels: labels }, template };
  await apps.createNamespacedDeployment({ namespace, body: { metadata: { name: 'web' }, spec } });
  const ways = [
    [PatchStrategy.JsonPatch, [{ op: 'replace', path: '/spec/replicas', value: 2 }]],
    [PatchStrategy.MergePatch, { spec: { replicas: 3 } }],
    [
      PatchStrategy.StrategicMergePatch,
      { spec: { template: { spec: { containers: [{ name: 'side', image: 's' }] } } } },
    ],
    [PatchStrategy.StrategicMergePatch, { spec: { template: { spec: { containers: 'none' } } } }],
  ] as const;
  for (const [way, body] of ways) {
    const patch = apps.patchNamespacedDeployment(
      { namespace, name: 'web', body },
      setHeaderOptions('Content-Type', way),
    );
    const refused = await refusal(patch);
    if (refused !== 'not refused') {
      say(refused);
      continue;
    }
    const { spec: patched, metadata } = await patch;
    const names = patched?.template.spec?.containers.map(({ name }) => name);
    say(`${way}: ${patched?.replicas} of ${names}, generation ${metadata?.generation}`);
  }
  const scale = await apps.readNamespacedDeploymentScale({ namespace, name: 'web' });
  say(JSON.stringify(scale.status));
}

export async function refusals({ core, config, namespace, say }: Stage): Promise<void> {
  const nameless = { metadata: { name: 'No Name' } };
  say(await refusal(core.readNamespacedPod({ namespace, name: 'missing' })));
  say(await refusal(core.createNamespacedConfigMap({ namespace, body: nameless })));
  say(await refusal(core.createNamespacedConfigMap({ namespace: 'nowhere', body: { metadata: { name: 'a' } } })));
  say(await refusal(core.listNamespacedPod({ namespace, labelSelector: '!!' })));
  say(await refusal(core.listNamespacedPod({ namespace, fieldSelector: 'spec.colour=red' })));
  say(
    await refusal(core.createNamespacedPod({ namespace, body: { metadata: { name: 'a' }, spec: { containers: [] } } })),
  );
  const unserved = { group: 'nothing.example', version: 'v1', namespace, plural: 'novels' };
  say(await refusal(config.makeApiClient(CustomObjectsApi).listNamespacedCustomObject(unserved)));
}
