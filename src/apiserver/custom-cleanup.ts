// The end of a deleted definition: its objects are deleted first, and only then it goes itself.

import { kubeTime, seconds } from '../base/clock.ts';
import { messageOf } from '../base/errors.ts';
import type { Identity } from '../kube/transport.ts';
import type { Core } from './core.ts';
import { writtenByServer } from './definition-naming.ts';
import { condition, merged } from './objects/definition-names.ts';
import { CLEANUP_FINALIZER, DEFINITIONS } from './objects/definitions.ts';
import type { JsonObject, Resource } from './parts.ts';
import { listAt, objectAt, stringsAt, withMeta } from './rules/json.ts';
import type { Change, Row, Store } from './store.ts';

/** Deletes every object of a storage, as the server itself; throws when one of them could not be. */
export type DeleteAll = (resource: Resource, identity: Identity) => Promise<void>;

/** What failed is tried again after this time. */
const AGAIN_MS = seconds(5);

const IN_PROGRESS = 'CustomResource deletion is in progress';

const SERVER: Identity = { name: 'system:apiserver', groups: ['system:masters', 'system:authenticated'] };

/** Takes the last finalizer off a deleted definition once none of its objects is left. */
export class Cleanup {
  readonly #core: Core;
  readonly #store: Store;
  readonly #deleteAll: DeleteAll;
  readonly #emptying = new Set<string>();
  /** Of what is to be tried again: each ends its waiting. */
  readonly #waiting = new Map<string, () => void>();
  #isOver = false;

  constructor(core: Core, deleteAll: DeleteAll) {
    this.#core = core;
    this.#store = core.store;
    this.#deleteAll = deleteAll;
  }

  resume(): void {
    for (const row of this.#store.range(DEFINITIONS)?.rows ?? []) this.#begin(row);
  }

  sees({ row, type }: Change): void {
    if (row.storage === DEFINITIONS && type !== 'deleted') this.#begin(row);
    else if (type === 'deleted' && this.#emptying.has(row.storage)) this.#finish(row.storage);
  }

  /** Nothing more is begun, and what fails from now on failed because of the end. */
  end(): void {
    this.#isOver = true;
    for (const cancel of this.#waiting.values()) cancel();
  }

  #begin(row: Row): void {
    if (!awaitsCleanup(row.object) || this.#emptying.has(row.name)) return;
    this.#emptying.add(row.name);
    this.#empty(row)
      .then(() => this.#finish(row.name))
      .catch((error: unknown) => this.#failed(row.name, error));
  }

  /** Told, and tried again: whoever deleted the definition waits for it. What is gone meanwhile is looked at either way. */
  #failed(name: string, error: unknown): void {
    if (this.#isOver) return;
    const what = 'A deleted definition still has objects that could not be deleted';
    this.#core.log.error(what, { definition: name, error: messageOf(error) });
    const again = (): void => {
      this.#waiting.delete(name);
      this.#emptying.delete(name);
      const row = this.#store.get({ storage: DEFINITIONS, namespace: '', name });
      if (row !== undefined) this.#begin(row);
    };
    this.#waiting.set(name, this.#core.clock.after(AGAIN_MS, again));
  }

  async #empty(row: Row): Promise<void> {
    await this.#say(row, condition('Terminating', 'True', 'InstanceDeletionInProgress', IN_PROGRESS));
    const resource = this.#core.registry.byStorage(row.name);
    if (resource !== undefined) await this.#deleteAll(resource, SERVER);
  }

  /** What the deletion is at; a conflict means that somebody else writes, and nothing is lost but the word. */
  async #say({ storage, namespace, name, revision, object: before }: Row, said: JsonObject): Promise<void> {
    const status = objectAt(before, 'status');
    const conditions = merged(listAt(status, 'conditions'), [said], kubeTime(this.#core.clock.now()));
    const object = writtenByServer(this.#core, before, { ...before, status: { ...status, conditions } });
    await this.#store.write({ storage, namespace, name, expected: revision, object });
  }

  #finish(name: string): void {
    if ((this.#store.range(name, { limit: 1 })?.rows.length ?? 0) > 0) return;
    const row = this.#store.get({ storage: DEFINITIONS, namespace: '', name });
    this.#emptying.delete(name);
    if (row === undefined || !awaitsCleanup(row.object)) return;
    this.#release(row).catch((error: unknown) => this.#failed(name, error));
  }

  async #release(row: Row): Promise<void> {
    const finalizers = stringsAt(objectAt(row.object, 'metadata'), 'finalizers').filter(f => f !== CLEANUP_FINALIZER);
    const object = withMeta(row.object, { finalizers: finalizers.length === 0 ? undefined : finalizers });
    const { storage, namespace, name, revision } = row;
    const remove = finalizers.length === 0 ? { remove: true as const } : {};
    const answer = await this.#store.write({ storage, namespace, name, expected: revision, object, ...remove });
    if (answer.kind === 'conflict') this.#finish(name);
  }
}

function awaitsCleanup(definition: JsonObject): boolean {
  const metadata = objectAt(definition, 'metadata');
  return metadata.deletionTimestamp !== undefined && stringsAt(metadata, 'finalizers').includes(CLEANUP_FINALIZER);
}
