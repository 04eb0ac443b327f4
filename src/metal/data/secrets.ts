// The two Secrets of a Data: made once, never rewritten, and never taken over from another owner (metal-G14).

import { held, soon } from '../../deletion/quiet-controller.ts';
import { Metal3Data } from '../../kinds/generated/metal3-data.generated.ts';
import { isMadeFor, madeFor, makersOf } from '../../kinds/made-for.ts';
import { METAL3_SECRET_TYPE } from '../../kinds/metal-wire.ts';
import { CLUSTER_NAME_LABEL } from '../../kinds/wire.ts';
import { type Ref, refTo } from '../../kube/api.ts';
import type { Informer } from '../../kube/cache.ts';
import type { CacheRead, KubeWorld } from '../../kube/controller.ts';
import { Secret } from '../../kube/core/other.ts';
import { isAlreadyExists } from '../../kube/errors.ts';
import { metadataOf } from '../../kube/kind.ts';
import { isDeleting, type KubeObject, keyText } from '../../kube/object.ts';
import type { Wait } from '../../kube/outcome.ts';
import { ownerReferenceTo } from '../../kube/owners.ts';

/** Metadata alone: what is in a Secret never reaches this process (safe-20). */
export const SecretMetadata = metadataOf(Secret);

/** Those of Clusters: the others are nobody's business here. */
export const CLUSTER_SECRETS = { of: SecretMetadata, selection: { labels: CLUSTER_NAME_LABEL } } satisfies CacheRead;

const BY_DATA = 'metal.data';

type Cached = Pick<KubeWorld, 'caches'>;

function indexed({ caches }: Cached): Informer<KubeObject> {
  const secrets = caches.of(CLUSTER_SECRETS.of, CLUSTER_SECRETS.selection);
  secrets.index(BY_DATA, secret =>
    makersOf(secret).map(({ name }) => keyText({ namespace: secret.metadata.namespace ?? '', name })),
  );
  return secrets;
}

/** Secrets that a Data of this name made: this one, or an earlier one. */
export const secretsOfDataName = (key: { readonly namespace?: string; readonly name: string }, world: Cached) =>
  indexed(world).by(BY_DATA, keyText(key));

/** `there`: it is this Data's. `missing`: it can be made. Else a wait, with the words why. */
export function standingOfSecret(data: Metal3Data, name: string, world: Cached): 'there' | 'missing' | Wait {
  const secret = indexed(world).get({ namespace: data.metadata.namespace ?? '', name });
  return secret === undefined ? 'missing' : judged(data, secret);
}

function judged(data: Metal3Data, secret: KubeObject): 'there' | Wait {
  const on = refTo(SecretMetadata, secret);
  if (!isMadeFor(data, secret)) {
    return held(on, 'SecretOfAnother', `Secret ${secret.metadata.name}, which ${ownersText(secret)}, to go`);
  }
  return isDeleting(secret) ? soon(on, `Secret ${secret.metadata.name} to be gone, to be made anew`) : 'there';
}

function ownersText(secret: KubeObject): string {
  const owners = (secret.metadata.ownerReferences ?? []).map(({ kind, name, uid }) => `${kind} ${name} (${uid})`);
  return owners.length === 0 ? 'has no owner' : `belongs to ${owners.join(' and ')}`;
}

export interface SecretText {
  readonly name: string;
  readonly key: string;
  readonly text: string;
  readonly clusterName: string;
  readonly annotations: Readonly<Record<string, string>>;
}

/** Creates a Secret. One that is there already is looked at, since the cache has only those with the label. */
export async function makeSecret(data: Metal3Data, what: SecretText, world: KubeWorld): Promise<Wait | undefined> {
  const { namespace = '' } = data.metadata;
  const secret: Secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: what.name,
      namespace,
      labels: { [CLUSTER_NAME_LABEL]: what.clusterName },
      annotations: { ...what.annotations, ...madeFor(data) },
      ownerReferences: [ownerReferenceTo(Metal3Data, data, 'controller')],
    },
    type: METAL3_SECRET_TYPE,
    data: { [what.key]: Buffer.from(what.text, 'utf8').toString('base64') },
  };
  try {
    await world.api.create(Secret, secret);
    return undefined;
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
  const on: Ref = { kind: SecretMetadata, namespace, name: what.name };
  const there = await world.api.find(SecretMetadata, on);
  if (there === undefined) return soon(on, `Secret ${what.name} to be made anew`);
  const standing = judged(data, there);
  return standing === 'there' ? undefined : standing;
}
