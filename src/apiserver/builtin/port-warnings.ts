// Ports of a Pod that are in each other's way, or are called the same.

import type { JsonObject } from '../parts.ts';
import { countAt } from './counts.ts';
import { objectsAt, textAt } from './json.ts';
import { eachContainer } from './validation/pod-view.ts';

interface Port {
  readonly at: string;
  readonly name: string;
  readonly number: number;
  readonly hostPort: number;
  readonly protocol: string;
  readonly hostIP: string;
}

export function portWarnings(path: string, spec: JsonObject): readonly string[] {
  const ports = eachContainer(path, spec, (container, at) =>
    container.ports === undefined ? [] : portsOf(container, at),
  );
  if (ports.length === 0) return [];
  return [...ports.flatMap((port, index) => clashes(port, ports.slice(0, index))), ...nameWarnings(ports)];
}

const portsOf = (container: JsonObject, path: string): readonly Port[] =>
  objectsAt(container, 'ports').map((port, index) => ({
    at: `${path}.ports[${index}]`,
    name: textAt(port, 'name'),
    number: countAt(port, 'containerPort'),
    hostPort: countAt(port, 'hostPort'),
    protocol: textAt(port, 'protocol'),
    hostIP: textAt(port, 'hostIP'),
  }));

function clashes(port: Port, before: readonly Port[]): readonly string[] {
  const { at, name, number, hostPort, protocol, hostIP } = port;
  // Kubernetes shows the port as its own code has it.
  const shown = `{Name:${name} HostPort:${hostPort} ContainerPort:${number} Protocol:${protocol} HostIP:${hostIP}}`;
  const isNowhere = hostIP !== '' && hostPort === 0;
  return [
    ...(isNowhere ? [`${at}: hostIP set without hostPort: ${shown}`] : []),
    ...before.flatMap(other => {
      const how = other.number === number && other.protocol === protocol ? clash(port, other) : undefined;
      return how === undefined ? [] : [`${at}: ${how} port definition with ${other.at}`];
    }),
  ];
}

function clash(one: Port, other: Port): string | undefined {
  if (one.hostIP === other.hostIP && one.hostPort === other.hostPort) return 'duplicate';
  if (one.hostPort === 0 || other.hostPort === 0) return 'overlapping';
  const isEverywhere = (one.hostIP === '') !== (other.hostIP === '');
  return one.hostPort === other.hostPort && isEverywhere ? 'dangerously ambiguous' : undefined;
}

function nameWarnings(ports: readonly Port[]): readonly string[] {
  const first = new Map<string, string>();
  return ports.flatMap(({ at, name }) => {
    if (name === '') return [];
    const other = first.get(name);
    if (other === undefined) {
      first.set(name, at);
      return [];
    }
    const which = `services and probes that select ports by name will use ${other}`;
    return [`${at}: duplicate port name ${JSON.stringify(name)} with ${other}, ${which}`];
  });
}
