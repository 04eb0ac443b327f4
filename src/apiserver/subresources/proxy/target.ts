// Where a proxied request goes: to the Pod, Service or Node that its path names, by `name`, `name:port` or `scheme:name:port`.

import { badRequest, notFound, type Refusal, serviceUnavailable } from '../../answer/status.ts';
import type { Call } from '../../core.ts';
import type { KubeletRequest } from '../../kubelets.ts';
import type { JsonObject } from '../../parts.ts';
import { isObject, listAt, objectAt, stringAt } from '../../rules/json.ts';
import { kubeletAddressOf } from '../kubelet-address.ts';

export type Target = Pick<KubeletRequest, 'host' | 'port' | 'workload'>;

interface Named {
  readonly scheme: '' | 'http' | 'https';
  readonly name: string;
  readonly port: string;
}

export function targetOf(call: Call): Target {
  const { plural } = call.resource;
  const named = namedIn(call.path.name);
  if (named === undefined) {
    throw badRequest(`invalid ${plural.replace(/s$/, '')} request ${JSON.stringify(call.path.name)}`);
  }
  if (plural === 'pods') return podTarget(call, named);
  return plural === 'services' ? serviceTarget(call, named) : nodeTarget(call, named);
}

function namedIn(id: string): Named | undefined {
  const parts = id.split(':');
  const [scheme, name, port] = parts.length === 3 ? parts : ['', ...parts, ''];
  const isScheme = scheme === '' || scheme === 'http' || scheme === 'https';
  if (!isScheme || parts.length > 3 || name === undefined || name === '') return undefined;
  return { scheme, name, port: port ?? '' };
}

/** The first port that a container names, unless the request names one. */
function podTarget(call: Call, { scheme, name, port }: Named): Target {
  const pod = storedOr404(call, 'pods', name);
  const [ip = ''] = addressesOf(pod);
  const ports = listAt(objectAt(pod, 'spec'), 'containers')
    .filter(isObject)
    .flatMap(container => listAt(container, 'ports').filter(isObject));
  const first = ports[0]?.containerPort;
  if (!isProxyable(ip)) throw notAllowed();
  const workload = scheme === 'https' ? 'https' : 'http';
  return { host: ip, port: numbered(port === '' ? first : port, workload), workload };
}

const numbered = (port: unknown, scheme: 'http' | 'https'): number => Number(port ?? (scheme === 'https' ? 443 : 80));

const addressesOf = (pod: JsonObject): readonly string[] => {
  const status = objectAt(pod, 'status');
  const all = listAt(status, 'podIPs')
    .filter(isObject)
    .map(each => stringAt(each, 'ip'));
  const [own] = [stringAt(status, 'podIP')];
  return all.length === 0 && own !== '' ? [own] : all;
};

function serviceTarget(call: Call, { scheme, name, port }: Named): Target {
  const portName = portNameOf(call, name, port);
  const endpoints = storedOr404(call, 'endpoints', name, 'services');
  const subsets = listAt(endpoints, 'subsets').filter(isObject);
  if (subsets.length === 0) throw serviceUnavailable(`no endpoints available for service ${JSON.stringify(name)}`);
  for (const subset of subsets) {
    const found = listAt(subset, 'ports')
      .filter(isObject)
      .find(each => stringAt(each, 'name') === portName);
    const address = listAt(subset, 'addresses')
      .filter(isObject)
      .find(each => isOfPod(call, each));
    if (found !== undefined && address !== undefined) {
      return {
        host: stringAt(address, 'ip'),
        port: Number(found.port),
        workload: scheme === 'https' ? 'https' : 'http',
      };
    }
  }
  throw serviceUnavailable(`no endpoints available for service ${JSON.stringify(call.path.name)}`);
}

/** Endpoints know ports by their names. */
function portNameOf(call: Call, name: string, port: string): string {
  if (!/^[+-]?\d+$/.test(port)) return port;
  const service = storedOr404(call, 'services', name);
  const found = listAt(objectAt(service, 'spec'), 'ports')
    .filter(isObject)
    .find(each => each.port === Number(port));
  if (found !== undefined) return stringAt(found, 'name');
  throw serviceUnavailable(`no service port ${Number(port)} found for service ${JSON.stringify(name)}`);
}

/** Whoever may write Endpoints must not reach what no Pod of the Namespace has. */
function isOfPod(call: Call, address: JsonObject): boolean {
  const { namespace, name } = objectAt(address, 'targetRef');
  if (namespace !== call.path.namespace || typeof name !== 'string') return false;
  const pod = call.core.store.get({ storage: 'pods', namespace: call.path.namespace, name });
  return pod !== undefined && addressesOf(pod.object).includes(stringAt(address, 'ip'));
}

function nodeTarget(call: Call, { scheme, name, port }: Named): Target {
  const kubelet = kubeletAddressOf(call, name, 'nodes');
  if (!isProxyable(kubelet.host)) throw notAllowed();
  if (port === '' || Number(port) === kubelet.port) return kubelet;
  return { host: kubelet.host, port: Number(port), workload: scheme === 'https' ? 'https' : 'http' };
}

function storedOr404({ core, path }: Call, storage: string, name: string, about = storage): JsonObject {
  const namespace = storage === 'nodes' ? '' : path.namespace;
  const row = core.store.get({ storage, namespace, name });
  if (row !== undefined) return row.object;
  throw notFound({ group: '', resource: about, name });
}

const notAllowed = (): Refusal => badRequest('address not allowed');

/** Nobody is let through to what listens on the API server's own machine, or on the wire beside it. */
function isProxyable(host: string): boolean {
  return (
    host !== '' &&
    !/^(127\.|0\.|169\.254\.|22[4-9]\.|23\d\.|255\.255\.255\.255$|::1?$|fe[89ab]|ff|localhost$)/i.test(host)
  );
}
