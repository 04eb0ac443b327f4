// The definitions that a test's API starts with: read from wherever they are, installed, and waited for until they are served.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { systemClock } from '../../adapters/system/clock.ts';
import { messageOf } from '../../base/errors.ts';
import { CustomResourceDefinition } from '../../kube/core/other.ts';
import { pathOf } from '../../kube/kind.ts';
import { crdNotServed, crdRefused, crdUnreadable } from './errors.ts';
import type { TestClient } from './types.ts';

const SUFFIXES = ['.yaml', '.yml', '.json'];
const SERVED_WITHIN_MS = 5000;
const LOOK_EVERY_MS = 5;

interface Definition {
  readonly name: string;
  /** The path, or which entry of the option. */
  readonly place: string;
  readonly object: object;
}

interface Served {
  readonly status?: {
    readonly conditions?: readonly { readonly type: string; readonly status: string; readonly message?: string }[];
  };
}

/** Resolves once each can be asked for. */
export async function installCrds(client: TestClient, crds: readonly (string | object)[]): Promise<void> {
  const definitions = crds.flatMap((entry, i) =>
    typeof entry === 'string' ? readFrom(entry) : [definitionIn(entry, `crds[${i}]`)],
  );
  for (const definition of definitions) await apply(client, definition);
  for (const definition of definitions) await untilServed(client, definition);
}

function readFrom(path: string): readonly Definition[] {
  try {
    const found = statSync(path).isDirectory() ? filesIn(path).flatMap(definitionsAmong) : definitionsOnly(path);
    if (found.length === 0) throw crdUnreadable(path, 'there is none in it');
    return found;
  } catch (error) {
    throw crdUnreadable.is(error) ? error : crdUnreadable.causedBy(error, path, messageOf(error));
  }
}

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder)
    .filter(name => SUFFIXES.includes(extname(name)))
    .sort()
    .map(name => join(folder, name));

interface Document {
  readonly place: string;
  readonly object: unknown;
}

/** A folder may hold other objects too. */
const definitionsAmong = (file: string): readonly Definition[] =>
  objectsIn(file)
    .filter(({ object }) => isDefinition(object))
    .map(({ object, place }) => definitionIn(object, place));

/** A file that was named is for definitions only. */
const definitionsOnly = (file: string): readonly Definition[] =>
  objectsIn(file).map(({ object, place }) => definitionIn(object, place));

function objectsIn(file: string): readonly Document[] {
  return parseAllDocuments(readFileSync(file, 'utf8')).flatMap((document, i): Document[] => {
    const [error] = document.errors;
    if (error !== undefined) throw crdUnreadable(file, messageOf(error));
    const object: unknown = document.toJS();
    return object === null ? [] : [{ object, place: i === 0 ? file : `${file}, document ${i + 1}` }];
  });
}

function definitionIn(object: unknown, place: string): Definition {
  if (!isDefinition(object)) throw crdUnreadable(place, `its kind is ${kindOf(object)}`);
  const { name } = object.metadata ?? {};
  if (typeof name !== 'string') throw crdUnreadable(place, 'it has no metadata.name');
  return { name, place, object };
}

const isDefinition = (object: unknown): object is { readonly metadata?: { readonly name?: unknown } } =>
  kindOf(object) === 'CustomResourceDefinition';

const kindOf = (object: unknown): string =>
  typeof object === 'object' && object !== null && 'kind' in object ? String(object.kind) : 'missing';

async function apply(client: TestClient, { name, place, object }: Definition): Promise<void> {
  const { status, json } = await client.request({
    method: 'PATCH',
    path: `${pathOf(CustomResourceDefinition, { name })}?fieldManager=pippin-testing&force=true`,
    headers: { 'content-type': 'application/apply-patch+yaml' },
    body: object,
  });
  if (status >= 300) throw crdRefused(name, place, json<{ readonly message?: string }>().message ?? `code ${status}`);
}

/** In this machine's time: a virtual clock stands still during the start. */
async function untilServed(client: TestClient, { name, place }: Definition): Promise<void> {
  const untilMs = systemClock.monotonic() + SERVED_WITHIN_MS;
  for (;;) {
    const conditions = await conditionsOf(client, name);
    if (conditions.some(({ type, status }) => type === 'Established' && status === 'True')) return;
    if (systemClock.monotonic() > untilMs) {
      const refused = conditions.find(({ status }) => status === 'False');
      throw crdNotServed(name, place, refused?.message ?? `not within ${SERVED_WITHIN_MS / 1000} s`);
    }
    await systemClock.sleep(LOOK_EVERY_MS);
  }
}

async function conditionsOf(
  client: TestClient,
  name: string,
): Promise<NonNullable<NonNullable<Served['status']>['conditions']>> {
  const answer = await client.request({ path: pathOf(CustomResourceDefinition, { name }) });
  return answer.json<Served>().status?.conditions ?? [];
}
