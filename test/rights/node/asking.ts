// Single requests in somebody's name, answered with their status and body.

import type { JsonObject } from '../../../src/apiserver/parts.ts';
import type { ApiRequest, Identity, Transport } from '../../../src/kube/transport.ts';

export interface Asked {
  readonly method: ApiRequest['method'];
  readonly path: string;
  readonly query?: string;
  /** A PATCH is a merge patch. */
  readonly body?: unknown;
}

export interface Answer {
  readonly code: number;
  /** Empty for a watch, which is ended at once. */
  readonly body: JsonObject;
}

export type Ask = (asked: Asked) => Promise<Answer>;

/** In process the identity says who asks, over HTTPS the transport's credentials do. */
export function asking(transport: Transport, identity?: Identity): Ask {
  return async ({ method, path, query = '', body }) => {
    const response = await transport({
      method,
      path,
      query,
      headers: {
        accept: 'application/json',
        'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
      },
      ...(body === undefined ? {} : { body: Buffer.from(JSON.stringify(body)) }),
      ...(identity === undefined ? {} : { identity }),
    });
    response.stream?.close('one look is enough');
    const text = response.stream === undefined ? Buffer.from(response.body).toString('utf8') : '';
    return { code: response.status, body: text === '' ? {} : JSON.parse(text) };
  };
}
