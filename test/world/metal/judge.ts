// Stands before the API of a virtual fleet: notes what a role refuses, when something was last written, and which write broke an oracle.

import type { Clock } from '../../../src/base/clock.ts';
import type { InProcessApi } from '../../../src/fleet/api.ts';
import type { KubeObject } from '../../../src/kube/object.ts';
import type { ApiRequest, ApiResponse, Transport } from '../../../src/kube/transport.ts';
import { isTooLate, judgeMetalCreation, judgeMetalWrite } from '../../faults/metal-oracles.ts';
import { metalView } from './view.ts';

export class Judge {
  readonly refused: string[] = [];
  readonly violations: string[] = [];
  lastWriteMs = 0;
  /** UIDs of what came too late to keep a Template. */
  readonly #late = new Set<string | undefined>();
  readonly #served: InProcessApi;
  readonly #clock: Clock;
  readonly #view: ReturnType<typeof metalView>;

  constructor(served: InProcessApi, clock: Clock) {
    this.#served = served;
    this.#clock = clock;
    this.#view = metalView(served.api.stored);
  }

  /** The API as programs have it. */
  get transport(): Transport {
    return request => this.#through(request);
  }

  /** Told of every object that anybody makes. */
  made<T extends KubeObject>(object: T): T {
    if (isTooLate(object, this.#view, this.#late)) this.#late.add(object.metadata.uid);
    return object;
  }

  async #through(request: ApiRequest): Promise<ApiResponse> {
    if (request.method === 'GET') return this.#noted(request, await this.#served.transport(request));
    const at = objectAt(request.path);
    const before = at === undefined ? undefined : this.#stored(at);
    const response = await this.#served.transport(request);
    // Leases and Events are no work.
    if (response.status < 300 && !/\/(leases|events)(\/|$)/.test(request.path)) {
      this.lastWriteMs = this.#clock.monotonic();
    }
    if (at !== undefined && before !== undefined) {
      const after = this.#stored(at);
      const same = after?.metadata.uid === before.metadata.uid ? after : undefined;
      this.#say(judgeMetalWrite(before, same, { view: this.#view, late: this.#late }));
    }
    if (request.method === 'POST' && response.status === 201) {
      this.made(JSON.parse(new TextDecoder().decode(response.body)));
      this.#say(judgeMetalCreation(this.#view));
    }
    return this.#noted(request, response);
  }

  #noted(request: ApiRequest, response: ApiResponse): ApiResponse {
    if (response.status === 403 && !isOfEndingNamespace(response)) {
      this.refused.push(`${request.identity?.name}: ${request.method} ${request.path}`);
    }
    return response;
  }

  #say(violation: string | undefined): void {
    if (violation !== undefined) this.violations.push(violation);
  }

  #stored({ storage, namespace, name }: At): KubeObject | undefined {
    return this.#served.api.stored.get(storage, namespace, name) as KubeObject | undefined;
  }
}

/** Nothing is created in a namespace that ends, whatever the role allows. */
const isOfEndingNamespace = ({ body }: ApiResponse): boolean =>
  new TextDecoder().decode(body).includes('because it is being terminated');

interface At {
  readonly storage: string;
  readonly namespace: string;
  readonly name: string;
}

/** The object of a group's own that a path is about; undefined for collections and for the core group. */
function objectAt(path: string): At | undefined {
  const [, group, namespace, plural, name] =
    /^\/apis\/([^/]+)\/[^/]+\/namespaces\/([^/]+)\/([^/]+)\/([^/]+)/.exec(path) ?? [];
  if (group === undefined || namespace === undefined || plural === undefined || name === undefined) return undefined;
  return { storage: `${plural}.${group}`, namespace, name };
}
