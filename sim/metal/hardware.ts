// What inspection finds in a simulated host: its name and its NICs, made from the host's own name and boot MAC.

import type { BareMetalHost } from '../../src/kinds/generated/bare-metal-host.generated.ts';

type Hardware = NonNullable<NonNullable<BareMetalHost['status']>['hardware']>;

export function hardwareOf({ metadata: { name }, spec }: BareMetalHost): Hardware {
  const [bootMac, second] = [spec?.bootMACAddress ?? macOf(name, 0), macOf(name, 1)];
  return {
    hostname: name,
    nics: [
      { name: 'eth0', mac: bootMac, ip: addressOf(name) },
      { name: 'eth1', mac: second, ip: '' },
    ],
  };
}

/** Locally administered, and another for each name and NIC. */
function macOf(name: string, nic: number): string {
  const hash = hashOf(`${name}/${nic}`);
  const bytes = [0x52, 0x54, hash >>> 24, (hash >>> 16) & 0xff, (hash >>> 8) & 0xff, hash & 0xff];
  return bytes.map(byte => byte.toString(16).padStart(2, '0')).join(':');
}

/** In a network for documentation. */
const addressOf = (name: string): string => `198.51.100.${(hashOf(name) % 254) + 1}`;

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 2_166_136_261;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 16_777_619);
  return hash >>> 0;
}
