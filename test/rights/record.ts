// Notes who asks an API for what, and what of it is refused.

import type { Attributes, Stored } from '../../src/apiserver/parts.ts';
import type { ApiRequest, Transport } from '../../src/kube/transport.ts';
import { asksOf } from './asks.ts';

export class Rights {
  readonly #asked = new Map<string, Attributes>();
  /** Requests that ended in 403: `who: verb what`. */
  readonly refused: string[] = [];

  /** Everything that somebody asked for, each once. */
  get asked(): readonly Attributes[] {
    return [...this.#asked.values()];
  }

  /** A transport that notes what passes it. */
  noting(api: Transport, stored: Stored): Transport {
    return async request => {
      const asks = this.#note(request, stored);
      const response = await api(request);
      if (response.status === 403) this.refused.push(...asks.slice(0, 1).map(askText));
      return response;
    };
  }

  #note(request: ApiRequest, stored: Stored): readonly Attributes[] {
    if (request.identity === undefined) return [];
    const asks = asksOf(request, request.identity, stored);
    for (const ask of asks) this.#asked.set(askText(ask), ask);
    return asks;
  }
}

/** `system:node:mac-0 get pods default/web`: enough to tell two asks apart. */
export function askText({ identity, verb, ...what }: Attributes): string {
  const { group, resource, subresource, namespace, name, fieldSelector } = what;
  if (resource === '') return `${identity.name} ${verb} ${what.path}`;
  const of = [resource, ...(group === '' ? [] : [group])].join('.');
  const sub = subresource === '' ? '' : `/${subresource}`;
  return `${identity.name} ${verb} ${of}${sub} ${namespace}/${name} ${fieldSelector}`.trimEnd();
}
