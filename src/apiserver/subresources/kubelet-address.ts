// Where the kubelet of a Node listens: as its status says.

import { notFound, unexpected } from '../answer/status.ts';
import type { Call } from '../core.ts';
import type { JsonObject } from '../parts.ts';
import { isObject, listAt, objectAt, stringAt } from '../rules/json.ts';

/** As kubeadm orders them: an address needs no name service. */
const PREFERRED = ['InternalIP', 'ExternalIP', 'Hostname', 'InternalDNS', 'ExternalDNS'] as const;
const DEFAULT_PORT = 10_250;

export interface KubeletAddress {
  readonly host: string;
  readonly port: number;
}

/** `about`: what a Node that is not there is called in the refusal; the real server names the kind of the path. */
export function kubeletAddressOf(call: Call, node: string, about = call.resource.plural): KubeletAddress {
  const row = call.core.store.get({ storage: 'nodes', namespace: '', name: node });
  if (row === undefined) throw notFound({ group: '', resource: about, name: node });
  const status = objectAt(row.object, 'status');
  const port = objectAt(objectAt(status, 'daemonEndpoints'), 'kubeletEndpoint').Port;
  return {
    host: preferred(listAt(status, 'addresses').filter(isObject)),
    port: typeof port === 'number' && port > 0 ? port : DEFAULT_PORT,
  };
}

function preferred(addresses: readonly JsonObject[]): string {
  for (const type of PREFERRED) {
    const address = stringAt(
      addresses.find(each => each.type === type),
      'address',
    );
    if (address !== '') return address;
  }
  const known = addresses.map(each => `{${stringAt(each, 'type')} ${stringAt(each, 'address')}}`).join(' ');
  throw unexpected(`no preferred addresses found; known addresses: [${known}]`);
}
