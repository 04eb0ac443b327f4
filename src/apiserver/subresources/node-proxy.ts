// nodes/proxy: whatever else the kubelet of a Node serves (metrics, health), as it answers it.

import { messageOf } from '../../base/errors.ts';
import type { ServedResponse } from '../access.ts';
import { badRequest, serviceUnavailable } from '../answer/status.ts';
import type { Call } from '../core.ts';
import type { Kubelets } from '../kubelets.ts';
import { kubeletAddressOf } from './kubelet-address.ts';

/** Of this connection alone, or of the caller's own credentials. */
const NOT_PASSED_ON =
  /^(authorization|impersonate-.*|connection|keep-alive|upgrade|host|content-length|transfer-encoding|accept-encoding)$/;

export async function proxyNode(call: Call, kubelets: Kubelets): Promise<ServedResponse> {
  const { request, path, query } = call;
  const { host, port } = kubeletAddressOf(call, path.name, 'nodes');
  if (isOwnHost(host)) throw badRequest('address not allowed');
  const rest = /^(?:\/[^/]+){5}(\/.*)?$/.exec(request.path)?.[1] ?? '';
  const text = query.toString();
  try {
    return await kubelets.ask({
      host,
      port,
      method: request.method,
      path: `${rest === '' ? '/' : rest}${text === '' ? '' : `?${text}`}`,
      headers: Object.fromEntries(Object.entries(request.headers).filter(([name]) => !NOT_PASSED_ON.test(name))),
      ...(request.body === undefined ? {} : { body: request.body }),
    });
  } catch (error) {
    throw serviceUnavailable(`error trying to reach service: ${messageOf(error)}`);
  }
}

/** Nobody is let through to what listens on the API server's own machine. */
const isOwnHost = (host: string): boolean => /^(127\.|0\.0\.0\.0$|169\.254\.|::1$|::$|fe80:|localhost$)/i.test(host);
