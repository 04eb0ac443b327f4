// The hardware addresses of a host: of an interface by its name, and of the one that it boots from.

import type { BareMetalHost } from '../../kinds/generated/bare-metal-host.generated.ts';
import { keyOf, keyText } from '../../kube/object.ts';
import { renderingRefused } from './refused.ts';

/** As inspection found it, empty where it found none. `field` is where the template names the interface. */
export function macOfInterface(host: BareMetalHost | undefined, name: string, field: string): string {
  const nics = host?.status?.hardware?.nics;
  if (nics === undefined || nics.length === 0) {
    throw renderingRefused(`${field} "${name}"`, `${nameOf(host)} has no list of interfaces: it is not inspected yet`);
  }
  const nic = nics.find(one => one.name === name);
  if (nic === undefined) throw renderingRefused(`${field} "${name}"`, `${nameOf(host)} has no such interface`);
  return nic.mac ?? '';
}

export function bootMacOf(host: BareMetalHost, field: string): string {
  const mac = host.spec?.bootMACAddress ?? '';
  if (mac === '') throw renderingRefused(field, `${nameOf(host)} has no spec.bootMACAddress`);
  return mac;
}

const nameOf = (host: BareMetalHost | undefined): string =>
  host === undefined ? 'the host' : `host ${keyText(keyOf(host))}`;
