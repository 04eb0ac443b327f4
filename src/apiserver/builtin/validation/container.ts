// What a container must be: named, with an image, ports in range, mounts of volumes that are there.

import type { FieldError, JsonObject } from '../../parts.ts';
import { duplicate, invalid, notSupported, required } from '../../schema/field-errors.ts';
import { countAt } from '../counts.ts';
import { objectAt, objectsAt, textAt } from '../json.ts';
import { environmentErrors } from './environment.ts';
import { probeErrors } from './probe.ts';
import { resourceErrors } from './resources.ts';
import { type Errors, labelErrors, portErrors, portNameErrors } from './texts.ts';

const PULL_POLICIES = ['Always', 'IfNotPresent', 'Never'];
const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];

export interface ContainerContext {
  readonly volumes: ReadonlySet<string>;
  /** Names that are taken by containers before this one. */
  readonly names: Set<string>;
}

export function containerErrors(path: string, container: JsonObject, context: ContainerContext): Errors {
  const { resources } = container;
  return [
    ...nameErrors(`${path}.name`, textAt(container, 'name')),
    ...imageErrors(path, container),
    ...objectsAt(container, 'ports').flatMap((port, index) => containerPortErrors(`${path}.ports[${index}]`, port)),
    ...portNameTwice(`${path}.ports`, objectsAt(container, 'ports')),
    ...environmentErrors(path, container),
    ...mountErrors(`${path}.volumeMounts`, objectsAt(container, 'volumeMounts'), context.volumes),
    ...probeErrors(path, container),
    ...(resources === undefined ? [] : resourceErrors(`${path}.resources`, objectAt(container, 'resources'))),
    ...takenErrors(`${path}.name`, textAt(container, 'name'), context.names),
  ];
}

const nameErrors = (path: string, name: string): Errors => (name === '' ? [required(path)] : labelErrors(path, name));

function takenErrors(path: string, name: string, taken: Set<string>): Errors {
  if (name === '') return [];
  const isTaken = taken.has(name);
  taken.add(name);
  return isTaken ? [duplicate(path, name)] : [];
}

function imageErrors(path: string, container: JsonObject): Errors {
  const image = textAt(container, 'image');
  const policy = textAt(container, 'imagePullPolicy');
  const errors: FieldError[] = [];
  if (image === '') errors.push(required(`${path}.image`));
  else if (image.trim() !== image) {
    errors.push(invalid(`${path}.image`, image, 'must not have leading or trailing whitespace'));
  }
  if (!PULL_POLICIES.includes(policy)) errors.push(notSupported(`${path}.imagePullPolicy`, policy, PULL_POLICIES));
  return errors;
}

function containerPortErrors(path: string, port: JsonObject): Errors {
  const [name, protocol, number] = [textAt(port, 'name'), textAt(port, 'protocol'), countAt(port, 'containerPort')];
  const hostPort = countAt(port, 'hostPort');
  return [
    ...(name === '' ? [] : portNameErrors(`${path}.name`, name)),
    ...(number === 0 ? [required(`${path}.containerPort`)] : portErrors(`${path}.containerPort`, number)),
    ...(hostPort === 0 ? [] : portErrors(`${path}.hostPort`, hostPort)),
    ...(PROTOCOLS.includes(protocol) ? [] : [notSupported(`${path}.protocol`, protocol, PROTOCOLS)]),
  ];
}

function portNameTwice(path: string, ports: readonly JsonObject[]): Errors {
  const names = ports.map(port => textAt(port, 'name'));
  return names.flatMap((name, index) =>
    name !== '' && names.indexOf(name) < index ? [duplicate(`${path}[${index}].name`, name)] : [],
  );
}

function mountErrors(path: string, mounts: readonly JsonObject[], volumes: ReadonlySet<string>): Errors {
  const paths = mounts.map(mount => textAt(mount, 'mountPath'));
  return mounts.flatMap((mount, index) => {
    const at = `${path}[${index}]`;
    const name = textAt(mount, 'name');
    const where = paths[index] ?? '';
    return [
      ...(name === '' ? [required(`${at}.name`)] : volumes.has(name) ? [] : [notFound(`${at}.name`, name)]),
      ...(where === '' ? [required(`${at}.mountPath`)] : []),
      ...(where !== '' && paths.indexOf(where) < index ? [invalid(`${at}.mountPath`, where, 'must be unique')] : []),
    ];
  });
}

const notFound = (field: string, name: string): FieldError => ({
  type: 'NotFound',
  field,
  message: `Not found: ${JSON.stringify(name)}`,
});
