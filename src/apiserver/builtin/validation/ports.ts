// Ports of containers: in range, named, and each port of the host taken once.

import type { FieldError, JsonObject } from '../../parts.ts';
import { duplicate, invalid, required } from '../../schema/field-errors.ts';
import { countAt } from '../counts.ts';
import { objectsAt, textAt } from '../json.ts';
import { type Check, NONE, supportedErrors } from './fields.ts';
import type { PodView } from './pod-view.ts';
import { type Errors, portErrors, portNameProblems } from './texts.ts';

const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];

export const containerPortErrors: Check<{ readonly container: JsonObject }> = (path, _, { container }) => {
  const names = new Set<string>();
  return objectsAt(container, 'ports').flatMap((port, index) => {
    const [at, number, hostPort] = [`${path}[${index}]`, countAt(port, 'containerPort'), countAt(port, 'hostPort')];
    const protocol = textAt(port, 'protocol');
    return [
      ...nameErrors(`${at}.name`, textAt(port, 'name'), names),
      ...(number === 0 ? [required(`${at}.containerPort`)] : portErrors(`${at}.containerPort`, number)),
      ...(hostPort === 0 ? NONE : portErrors(`${at}.hostPort`, hostPort)),
      ...(protocol === '' ? [required(`${at}.protocol`)] : supportedErrors(`${at}.protocol`, protocol, PROTOCOLS)),
    ];
  });
};

function nameErrors(path: string, name: string, taken: Set<string>): Errors {
  if (name === '') return NONE;
  const problems = portNameProblems(name);
  if (problems.length > 0) return problems.map(why => invalid(path, name, why));
  if (taken.has(name)) return [duplicate(path, name)];
  taken.add(name);
  return NONE;
}

/** Two containers cannot have one port of the host. */
export function hostPortErrors(path: string, containers: readonly JsonObject[]): Errors {
  const taken = new Set<string>();
  const errors: FieldError[] = [];
  for (const [place, container] of containers.entries()) {
    if (container.ports === undefined) continue;
    for (const [index, port] of objectsAt(container, 'ports').entries()) {
      const number = countAt(port, 'hostPort');
      if (number === 0) continue;
      const key = `${textAt(port, 'protocol')}/${textAt(port, 'hostIP')}/${number}`;
      if (taken.has(key)) errors.push(duplicate(`${path}[${place}].ports[${index}].hostPort`, key));
      taken.add(key);
    }
  }
  return errors;
}

/** On the network of the host, a container's port is the host's. */
export const hostNetworkErrors: Check<PodView> = (_, value, { path, spec, of }) => {
  if (value !== true) return NONE;
  return objectsAt(spec, 'containers').flatMap((container, place) =>
    objectsAt(container, 'ports').flatMap((port, index) => {
      const hostPort = countAt(port, 'hostPort');
      const isOpen = of === 'template' && hostPort === 0;
      if (isOpen || hostPort === countAt(port, 'containerPort')) return NONE;
      const at = `${path}.containers[${place}].ports[${index}].hostPort`;
      return [invalid(at, hostPort, 'must match `containerPort` when `hostNetwork` is true')];
    }),
  );
};
