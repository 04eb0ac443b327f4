// Asks an API for its verdict on an object: on making it, or on changing it once it is made.

import assert from 'node:assert/strict';
import { mergePatched } from '../../../src/kube/merge-patch.ts';
import type { ApiResponse, Transport } from '../../../src/kube/transport.ts';
import { convertMetal } from '../../../src/metal/conversion/convert.ts';
import { groupOf, tableOf } from './tree.ts';
import type { Made } from './values.ts';
import { USUAL, type VerdictCase } from './verdict-cases.ts';

export interface Answer {
  readonly status: number;
  readonly body: Made;
  readonly warning: string | undefined;
}

export const read = ({ status, body, headers }: ApiResponse): Answer => ({
  status,
  body: JSON.parse(new TextDecoder().decode(body)),
  warning: headers.warning,
});

const isMade = (value: unknown): value is Made => typeof value === 'object' && value !== null && !Array.isArray(value);
export const merged = (object: Made, patch: Made | undefined): Made => {
  const made = mergePatched(object, patch ?? {});
  return isMade(made) ? made : object;
};

const storedVersion = (kind: string): string => (kind.startsWith('Metal3') ? 'v1beta2' : 'v1alpha1');

export function usual(kind: string): Made {
  const apiVersion = `${groupOf(kind)}/${storedVersion(kind)}`;
  return merged({ apiVersion, kind, metadata: { name: 'a', namespace: 'default' } }, USUAL[kind]);
}

export const collectionOf = (kind: string, version: string): string =>
  `/apis/${groupOf(kind)}/${version}/namespaces/default/${tableOf('main', kind).plural}`;

const nameOf = ({ metadata }: Made): string => String(isMade(metadata) ? metadata.name : '');

async function remove(transport: Transport, object: Made): Promise<void> {
  const kind = String(object.kind);
  const path = `${collectionOf(kind, storedVersion(kind))}/${nameOf(object)}`;
  await transport({ method: 'DELETE', path, query: '', headers: {} });
}

export interface Asked {
  readonly transport: Transport;
  readonly version: string;
  readonly query?: string;
}

/** Sends the object in this version. What it is in the stored version is converted by the function that is behind the API. */
export async function send(
  { transport, version, query = '' }: Asked,
  method: 'POST' | 'PUT',
  object: Made,
): Promise<Answer> {
  const kind = String(object.kind);
  const path = method === 'POST' ? collectionOf(kind, version) : `${collectionOf(kind, version)}/${nameOf(object)}`;
  const body = new TextEncoder().encode(JSON.stringify(convertMetal(object, `${groupOf(kind)}/${version}`)));
  return read(await transport({ method, path, query, headers: { 'content-type': 'application/json' }, body }));
}

/** The answer to making the object, or to changing it once it is made. */
export async function answerTo({ kind, made, changed }: VerdictCase, asked: Asked): Promise<Answer> {
  const object = merged(usual(kind), made);
  if (changed === undefined) return send({ ...asked, query: 'dryRun=All' }, 'POST', object);
  const stored = await send({ ...asked, version: storedVersion(kind) }, 'POST', object);
  assert.equal(stored.status, 201, JSON.stringify(stored.body));
  const answer = await send({ ...asked, query: 'dryRun=All' }, 'PUT', merged(stored.body, changed));
  await remove(asked.transport, stored.body);
  return answer;
}

/** Throws unless the answer is the case's. */
export function assertVerdict({ refused }: Pick<VerdictCase, 'refused'>, { status, body }: Answer): void {
  const message = String(body.message);
  if (refused === undefined) {
    assert.ok(status < 300, message);
    return;
  }
  assert.ok(status === 422 || status === 403, `${status} ${JSON.stringify(body).slice(0, 300)}`);
  assert.ok(message.includes(refused), message);
}
