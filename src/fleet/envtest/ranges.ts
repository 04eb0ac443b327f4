// The flags of kube-apiserver that say which addresses and ports Services get.

import { networkIn, type PortRange } from '../../apiserver/objects/service-ranges.ts';
import { defineError } from '../../base/errors.ts';

const networkInvalid = defineError('PIPPIN_E_ENVTEST_NETWORK', {
  retry: 'never',
  remedy: 'Use one IPv4 network of 8 to 1048576 addresses, like 10.0.0.0/24',
  says: (text: string, why: string) => `--service-cluster-ip-range: ${JSON.stringify(text)} ${why}`,
});

const portsInvalid = defineError('PIPPIN_E_ENVTEST_NODE_PORTS', {
  retry: 'never',
  remedy: 'Use two ports, the lower one first, like 30000-32767',
  says: (text: string) => `--service-node-port-range: ${JSON.stringify(text)} is no range of ports`,
});

const [LEAST, MOST] = [8, 2 ** 20];

/** The first network counts; a second one, of the other family, is not built in. */
export function serviceNetworkOf(texts: readonly string[]): string | undefined {
  const [text, second] = texts;
  if (text === undefined) return undefined;
  if (second !== undefined) throw networkInvalid(texts.join(','), 'names two networks, and one is built in');
  const network = networkIn(text);
  if (network === undefined) throw networkInvalid(text, 'is no IPv4 network');
  if (network.size < LEAST || network.size > MOST) throw networkInvalid(text, 'is too small or too large');
  return network.text;
}

/** Both ends, or the first and how many follow it. */
export function nodePortsOf(text: string | undefined): PortRange | undefined {
  if (text === undefined) return undefined;
  const [, from = '', sign, to = ''] = /^(\d+)([-+])(\d+)$/.exec(text.trim()) ?? [];
  const [first, last] = [Number(from), sign === '+' ? Number(from) + Number(to) : Number(to)];
  if (from === '' || first < 1 || last < first || last > 65_535) throw portsInvalid(text);
  return { first, last };
}
