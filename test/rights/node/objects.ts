// Two Macs and what is theirs: a Pod on each, which names a Secret, a ConfigMap and an account; and a Secret that none names.

import type { Ask } from './asking.ts';

const NS = 'macs';
export const IN_NS = `/api/v1/namespaces/${NS}`;
export const NODES = '/api/v1/nodes';
export const LEASES = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';
export const REQUESTS = '/apis/certificates.k8s.io/v1/certificatesigningrequests';

/** The Mac that asks. Its Node and Lease are its own to make. */
export const OWN = 'mac-0';
export const OTHER = 'mac-1';

/** Made by the administrator. */
export async function makeObjects(admin: Ask): Promise<void> {
  const make = async (path: string, body: object): Promise<void> => {
    const { code, body: said } = await admin({ method: 'POST', path, body });
    if (code !== 201) throw new Error(`POST ${path}: ${code} ${JSON.stringify(said)}`);
  };
  await make('/api/v1/namespaces', { metadata: { name: NS } });
  // Where no controller makes it, admission would miss it before it looks at anything else.
  await make(`${IN_NS}/serviceaccounts`, { metadata: { name: 'default' } });
  await make(NODES, { metadata: { name: OTHER } });
  await make(LEASES, { metadata: { name: OTHER } });
  await make(`${IN_NS}/secrets`, { metadata: { name: 'unnamed' } });
  for (const mac of [OWN, OTHER]) {
    await make(`${IN_NS}/secrets`, { metadata: { name: `of-${mac}` }, stringData: { a: 'b' } });
    await make(`${IN_NS}/configmaps`, { metadata: { name: `of-${mac}` }, data: { a: 'b' } });
    await make(`${IN_NS}/serviceaccounts`, { metadata: { name: `of-${mac}` } });
    await make(`${IN_NS}/pods`, podOn(mac));
  }
}

const podOn = (mac: string) => ({
  metadata: { name: `on-${mac}` },
  spec: {
    nodeName: mac,
    serviceAccountName: `of-${mac}`,
    automountServiceAccountToken: false,
    tolerations: [{ operator: 'Exists' }],
    containers: [
      {
        name: 'vm',
        image: 'registry.example/macos:26',
        envFrom: [{ secretRef: { name: `of-${mac}` } }, { configMapRef: { name: `of-${mac}` } }],
      },
    ],
  },
});

/** Whether the server knows what the own Pod names: kube-apiserver learns it from its own watches, a moment later. */
export async function isKnown(node: Ask): Promise<boolean> {
  const wanted = ['secrets', 'configmaps', 'serviceaccounts'].map(plural => `${IN_NS}/${plural}/of-${OWN}`);
  const answers = await Promise.all(wanted.map(path => node({ method: 'GET', path })));
  return answers.every(({ code }) => code === 200);
}
