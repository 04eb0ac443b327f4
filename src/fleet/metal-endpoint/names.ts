// Where the endpoint of Metal3 is found: its Service, and the Secret in which its replicas share their authorities.

/** Where our definitions say that conversion is, and our webhook that verdicts on pools are. */
export const ENDPOINT_SERVICE = { namespace: 'pippin-system', name: 'pippin-metal', port: 443 } as const;

export const AUTHORITIES_SECRET = { namespace: 'pippin-system', name: 'pippin-metal-authorities' } as const;

/** Our ValidatingWebhookConfiguration (deploy/metal-webhooks.yaml). */
export const ADMISSION_CONFIGURATION = 'pippin-metal';

/** What a client may call the Service; an API server uses `<name>.<namespace>.svc`. */
export function serviceNames(): readonly string[] {
  const { namespace, name } = ENDPOINT_SERVICE;
  const base = `${name}.${namespace}`;
  return [`${base}.svc`, `${base}.svc.cluster.local`, base, name];
}
