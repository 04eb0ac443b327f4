// Counts the manager's requests, and notes when each host's release was recorded and when each Pod went.

import type { Stored } from '../../src/apiserver/parts.ts';
import type { Clock } from '../../src/base/clock.ts';
import { managerIdentity } from '../../src/fleet/manifests.ts';
import type { ApiRequest, Transport } from '../../src/kube/transport.ts';
import { HOST_RELEASE } from '../../src/mac/machine/release-record.ts';
import { NS } from '../world/names.ts';

export class Meter {
  /** Requests of the manager since the count began, by `method resource`. */
  readonly calls = new Map<string, number>();
  readonly releasedMs = new Map<string, number>();
  readonly goneMs = new Map<string, number>();
  #clock: Clock | undefined;

  /** Counting begins. */
  begin(clock: Clock): void {
    this.#clock = clock;
  }

  get total(): number {
    return [...this.calls.values()].reduce((sum, each) => sum + each, 0);
  }

  /** A transport whose requests are counted. */
  counting(api: Transport, stored: Stored): Transport {
    return async request => {
      const answer = await api(request);
      const clock = this.#clock;
      if (clock === undefined) return answer;
      if (request.identity?.name === managerIdentity.name) this.#count(request);
      if (request.method !== 'GET') this.#note(request, stored, clock.monotonic());
      return answer;
    };
  }

  #count({ method, path }: ApiRequest): void {
    const what = `${method} ${path.replace(/\/(tart-kubelet-)?(mac|running|wedged)-\d+[^/]*/, '/*')}`;
    this.calls.set(what, (this.calls.get(what) ?? 0) + 1);
  }

  #note({ path, body }: ApiRequest, stored: Stored, nowMs: number): void {
    const [, plural = '', name = ''] = /\/(pods|scalewayapplesiliconmachines)\/([^/]+)/.exec(path) ?? [];
    if (plural === 'pods' && stored.get('pods', NS, name) === undefined) this.goneMs.set(name, nowMs);
    const isRecord = plural !== 'pods' && new TextDecoder().decode(body).includes(HOST_RELEASE);
    if (isRecord && !this.releasedMs.has(name)) this.releasedMs.set(name, nowMs);
  }
}
