// The Service `kubernetes` by which Pods reach the API: always there, with the port that the API listens on now.

import { ownAddress, type ServiceRanges, USUAL_RANGES } from '../apiserver/objects/service-ranges.ts';
import type { Clock } from '../base/clock.ts';
import { client } from '../kube/client.ts';
import { isAlreadyExists } from '../kube/errors.ts';
import { kindOf } from '../kube/kind.ts';
import type { KubeObject } from '../kube/object.ts';
import type { Transport } from '../kube/transport.ts';

const Service = kindOf<KubeObject>('v1', 'Service', 'services', 'Namespaced');
const KEY = { namespace: 'default', name: 'kubernetes' } as const;

/** `network`: from which Services get their addresses; this one has the first. */
export async function keepKubernetesService(
  transport: Transport,
  clock: Clock,
  port: number,
  { network }: Pick<ServiceRanges, 'network'> = USUAL_RANGES,
): Promise<void> {
  const api = client(transport, { clock, userAgent: 'kube-apiserver' });
  const ports = [{ name: 'https', protocol: 'TCP', port: 443, targetPort: port }];
  const service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { ...KEY, labels: { component: 'apiserver', provider: 'kubernetes' } },
    spec: {
      ports,
      clusterIP: ownAddress(network),
      ipFamilyPolicy: 'SingleStack',
      sessionAffinity: 'None',
      type: 'ClusterIP',
    },
  };
  try {
    await api.create(Service, service);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    await api.patch(Service, KEY, { spec: { ports } });
  }
}
