// Which stored object a request path is about; only the kinds that oracles judge.

export interface ObjectAt {
  readonly storage: string;
  readonly namespace: string;
  readonly name: string;
}

const JUDGED: Readonly<Record<string, string>> = {
  pods: 'pods',
  scalewayapplesiliconmachines: 'scalewayapplesiliconmachines.infrastructure.cluster.x-k8s.io',
};

/** Undefined for collections and for kinds that nobody judges. */
export function objectAt(path: string): ObjectAt | undefined {
  const match = /\/namespaces\/([^/]+)\/([a-z]+)\/([^/?]+)/.exec(path);
  const storage = JUDGED[match?.[2] ?? ''];
  return storage === undefined ? undefined : { storage, namespace: match?.[1] ?? '', name: match?.[3] ?? '' };
}
