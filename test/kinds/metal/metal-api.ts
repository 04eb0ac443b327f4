// The embedded API with the definitions of the Metal3 kinds and its conversion webhook, which answers whether it would take an object.

import { virtualClock } from '../../../sim/time/clock.ts';
import { seededRandom } from '../../../sim/time/random.ts';
import { inProcessApi } from '../../../src/fleet/api.ts';
import { installManifests } from '../../../src/fleet/manifests.ts';
import { metalWebhooks } from '../../../src/fleet/metal-webhooks.ts';
import definitions from '../../../src/kinds/generated/metal-definitions.generated.json' with { type: 'json' };
import type { Api } from '../../../src/kube/api.ts';
import { client } from '../../../src/kube/client.ts';
import { CustomResourceDefinition, Namespace } from '../../../src/kube/core/other.ts';
import type { ApiResponse, Transport } from '../../../src/kube/transport.ts';
import type { Case } from './objects.ts';
import { groupOf, tableOf } from './tree.ts';
import type { Made } from './values.ts';

export interface MetalApi {
  readonly api: Api;
  readonly transport: Transport;
  /** Why it would not take the object; undefined when it would. */
  refusalOf(of: Case): Promise<string | undefined>;
  close(): Promise<void>;
}

export interface MetalApiOptions {
  /** With the policies and the manager's endpoint; without, the definitions alone decide. */
  readonly admission?: true;
  /** `none`: the schemas alone decide. */
  readonly rules?: 'none';
}

export async function metalApi({ admission, rules }: MetalApiOptions = {}): Promise<MetalApi> {
  const clock = virtualClock();
  const served = await inProcessApi({ clock, random: seededRandom('metal'), webhooks: metalWebhooks });
  const api = client(served.transport, { clock });
  const wanted: typeof definitions =
    rules === 'none' ? JSON.parse(JSON.stringify(definitions, withoutRules)) : definitions;
  for (const each of wanted) await api.create(CustomResourceDefinition, each);
  if (admission) await installManifests(api, ['metalPolicies', 'metalWebhooks']);
  // One stored object of each kind and version, whose status is tried, in a namespace that bears the version's name.
  for (const name of ['v1beta1', 'v1beta2', 'v1alpha1']) {
    await api.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  }
  const stored = new Map<string, Promise<Made>>();
  const send = (method: 'POST' | 'PUT', path: string, object: Made, query: string): Promise<ApiResponse> => {
    const body = new TextEncoder().encode(JSON.stringify(object));
    return served.transport({ method, path, query, headers: { 'content-type': 'application/json' }, body });
  };
  return {
    api,
    transport: served.transport,
    refusalOf: async ({ object, kind, version, path }) => {
      const resource = `/apis/${groupOf(kind)}/${version}/namespaces`;
      const { plural } = tableOf('main', kind);
      if (!path.startsWith('status')) {
        return refusalIn(await send('POST', `${resource}/default/${plural}`, object, 'dryRun=All'));
      }
      const collection = `${resource}/${version}/${plural}`;
      const fresh = { ...object, metadata: { name: object.metadata.name }, status: undefined };
      const base = stored.get(collection) ?? send('POST', collection, fresh, '').then(bodyOf);
      stored.set(collection, base);
      const { metadata, ...rest } = await base;
      const { name } = metadata as { readonly name: string };
      const changed = { ...rest, metadata, status: object.status };
      return refusalIn(await send('PUT', `${collection}/${name}/status`, changed, 'dryRun=All'));
    },
    close: () => served.close(),
  };
}

const withoutRules = (name: string, value: unknown): unknown =>
  name === 'x-kubernetes-validations' ? undefined : value;

const bodyOf = ({ body }: ApiResponse): Made => JSON.parse(new TextDecoder().decode(body));

function refusalIn(response: ApiResponse): string | undefined {
  return response.status < 300 ? undefined : String(bodyOf(response).message);
}
