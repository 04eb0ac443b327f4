// What a person is told of bare-metal machines, read off their objects: the host, the address, the Node, or what each waits for.

import type { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import { HOST_ANNOTATION } from '../../kinds/metal-wire.ts';
import { conditionOf, isTrue } from '../../kube/conditions.ts';
import { annotationOf, isDeleting } from '../../kube/object.ts';
import { NODE_READY } from '../../metal/machine/node-identity.ts';
import type { Told } from './progress.ts';

export const metalProgressOf = (machines: readonly Metal3Machine[]): Told => new Map(machines.flatMap(machineLines));

/** It has its Node, and that bears its provider id. */
export const isUp = (machine: Metal3Machine): boolean => !isDeleting(machine) && isTrue(machine, NODE_READY);

type Line = readonly [about: string, text: string];

function machineLines(machine: Metal3Machine): readonly Line[] {
  const { uid, name } = machine.metadata;
  const line = (about: string, text: string): Line => [`machine ${uid} ${about}`, `Machine ${name}: ${text}`];
  if (isDeleting(machine)) {
    return [line('deleting', waitText(conditionOf(machine, 'Deleting')?.message) ?? 'being taken apart')];
  }
  const host = annotationOf(machine, HOST_ANNOTATION)?.split('/').at(-1);
  const lines: Line[] = host === undefined ? [] : [line('host', `on host ${host}`)];
  if (machine.status?.renderedData?.name !== undefined) {
    lines.push(line('data', `data rendered as ${machine.status.renderedData.name}`));
  }
  if (isUp(machine)) return [...lines, line('node', `Node with ${machine.spec?.providerID}`)];
  const held = machine.status?.conditions?.find(({ status, message }) => status === 'False' && message !== '');
  const waits = waitText(held?.message);
  return waits === undefined ? lines : [...lines, line('waits', waits)];
}

const WAITING = 'Waiting for ';

function waitText(message: string | undefined): string | undefined {
  if (message === undefined || message === '') return undefined;
  return message.startsWith(WAITING) ? `w${message.slice(1)}` : `waiting: ${message}`;
}
