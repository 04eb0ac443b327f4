// What Ingresses and their classes must be: hosts, straight paths, one backend each.

import { parseAddress } from '../../../base/ip.ts';
import type { Json, JsonObject } from '../../parts.ts';
import { NO_ADDRESS } from '../../rules/address-forms.ts';
import { forbidden, invalid, notSupported, required, tooLong } from '../../schema/field-errors.ts';
import { countAt } from '../counts.ts';
import { isObject, listAt, objectAt, objectsAt, sameJson, textAt } from '../json.ts';
import { type Errors, labelErrors, portErrors, portNameErrors, subdomainErrors } from './texts.ts';

const CLASS = 'kubernetes.io/ingress.class';

export function ingressErrors(ingress: JsonObject, old: JsonObject | undefined, part: string): Errors {
  if (part === 'status') return statusErrors(objectAt(objectAt(ingress, 'status'), 'loadBalancer'));
  const spec = objectAt(ingress, 'spec');
  return [...specErrors(spec), ...(old === undefined ? classErrors(ingress, spec) : [])];
}

/** A new one may say its class in the old way and in the new one, if it says the same. */
function classErrors(ingress: JsonObject, spec: JsonObject): Errors {
  const said = objectAt(objectAt(ingress, 'metadata'), 'annotations')[CLASS];
  const { ingressClassName = null } = spec;
  if (said === undefined || ingressClassName === null || said === ingressClassName) return [];
  return [invalid(`annotations.${CLASS}`, said, 'must match `ingressClassName` when both are specified')];
}

function specErrors(spec: JsonObject): Errors {
  const { defaultBackend = null, ingressClassName } = spec;
  const rules = objectsAt(spec, 'rules');
  const isEmpty = rules.length === 0 && !isObject(defaultBackend);
  const why = 'either `defaultBackend` or `rules` must be specified';
  return [
    ...(isEmpty ? [invalid('spec', spec.rules ?? null, why)] : []),
    ...(isObject(defaultBackend) ? backendErrors('spec.defaultBackend', defaultBackend) : []),
    ...rules.flatMap((rule, index) => ruleErrors(`spec.rules[${index}]`, rule)),
    ...objectsAt(spec, 'tls').flatMap((tls, index) => tlsErrors(`spec.tls[${index}]`, tls)),
    ...(typeof ingressClassName === 'string' ? subdomainErrors('spec.ingressClassName', ingressClassName) : []),
  ];
}

function ruleErrors(path: string, rule: JsonObject): Errors {
  const host = textAt(rule, 'host');
  const http = rule.http ?? null;
  return [...(host === '' ? [] : hostErrors(`${path}.host`, host)), ...(isObject(http) ? httpErrors(path, http) : [])];
}

function hostErrors(path: string, host: string): Errors {
  if (parseAddress(host) !== undefined) return [invalid(path, host, 'must be a DNS name, not an IP address')];
  return nameErrors(path, host);
}

/** A name; a star may stand for its first part. */
const nameErrors = (path: string, host: string): Errors =>
  host.includes('*') ? wildcardErrors(path, host) : subdomainErrors(path, host);

const WILDCARD_TEXT =
  "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used for validation is '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

function wildcardErrors(path: string, host: string): Errors {
  const isFine = host.startsWith('*.') && subdomainErrors(path, host.slice(2)).length === 0;
  return isFine ? [] : [invalid(path, host, WILDCARD_TEXT)];
}

function httpErrors(path: string, http: JsonObject): Errors {
  const paths = objectsAt(http, 'paths');
  const at = `${path}.http.paths`;
  if (paths.length === 0) return [required(at)];
  return paths.flatMap((each, index) => [
    ...pathErrors(`${at}[${index}]`, each),
    ...backendErrors(`${at}[${index}].backend`, objectAt(each, 'backend')),
  ]);
}

const PATH_TYPES = ['Exact', 'ImplementationSpecific', 'Prefix'];
/** What would make two spellings of one path. */
const CROOKED = ['//', '/./', '/../', '%2f', '%2F'];
const CROOKED_ENDS = ['/..', '/.'];

function pathErrors(at: string, each: JsonObject): Errors {
  const { pathType = null } = each;
  const path = textAt(each, 'path');
  if (pathType === null) return [required(`${at}.pathType`, 'pathType must be specified')];
  if (!PATH_TYPES.includes(String(pathType))) return [notSupported(`${at}.pathType`, pathType, PATH_TYPES)];
  const isFree = pathType === 'ImplementationSpecific';
  const wrong = (why: string): Errors => [invalid(`${at}.path`, path, why)];
  const absolute = path.startsWith('/') || (isFree && path === '') ? [] : wrong('must be an absolute path');
  if (isFree || path === '') return absolute;
  return [
    ...absolute,
    ...CROOKED.flatMap(each => (path.includes(each) ? wrong(`must not contain '${each}'`) : [])),
    ...CROOKED_ENDS.flatMap(end => (path.endsWith(end) ? wrong(`cannot end with '${end}'`) : [])),
  ];
}

function backendErrors(path: string, backend: JsonObject): Errors {
  const { service = null, resource = null } = backend;
  if (isObject(service) && isObject(resource)) {
    return [invalid(path, '', 'cannot set both resource and service backends')];
  }
  if (isObject(resource)) return referenceErrors(`${path}.resource`, resource);
  if (isObject(service)) return serviceErrors(path, service);
  return [invalid(path, '', 'resource or service backend is required')];
}

function referenceErrors(path: string, reference: JsonObject): Errors {
  const { apiGroup } = reference;
  return [
    ...(typeof apiGroup === 'string' ? subdomainErrors(`${path}.apiGroup`, apiGroup) : []),
    ...['kind', 'name'].flatMap(key => (textAt(reference, key) === '' ? [required(`${path}.${key}`)] : [])),
  ];
}

function serviceErrors(path: string, service: JsonObject): Errors {
  const [name, port] = [textAt(service, 'name'), objectAt(service, 'port')];
  const at = `${path}.service`;
  const named = name === '' ? [required(`${at}.name`)] : labelErrors(`${at}.name`, name);
  return [...named, ...servicePortErrors(path, textAt(port, 'name'), countAt(port, 'number'))];
}

function servicePortErrors(path: string, name: string, number: number): Errors {
  const at = `${path}.service.port`;
  if (name !== '' && number !== 0) return [invalid(path, '', 'cannot set both port name & port number')];
  if (name !== '') return portNameErrors(`${at}.name`, name);
  return number === 0 ? [required(path, 'port name or number is required')] : portErrors(`${at}.number`, number);
}

function tlsErrors(path: string, tls: JsonObject): Errors {
  const secret = textAt(tls, 'secretName');
  return [
    ...listAt(tls, 'hosts').flatMap((host, index) => nameErrors(`${path}.hosts[${index}]`, String(host))),
    ...(secret === '' ? [] : subdomainErrors(`${path}.secretName`, secret)),
  ];
}

function statusErrors(balancer: JsonObject): Errors {
  return objectsAt(balancer, 'ingress').flatMap((ingress, index) => {
    const path = `status.loadBalancer.ingress[${index}]`;
    const [ip, host] = [textAt(ingress, 'ip'), textAt(ingress, 'hostname')];
    const isAddress = ip === '' || parseAddress(ip) !== undefined;
    return [
      ...(isAddress ? [] : [invalid(`${path}.ip`, ip, NO_ADDRESS)]),
      ...(host === '' ? [] : hostErrors(`${path}.hostname`, host).slice(0, 1)),
    ];
  });
}

const CONTROLLER_LENGTH = 250;

export function ingressClassErrors(ingressClass: JsonObject, old: JsonObject | undefined): Errors {
  const spec = objectAt(ingressClass, 'spec');
  const controller = textAt(spec, 'controller');
  const isMoved = old !== undefined && !sameJson(controller, textAt(objectAt(old, 'spec'), 'controller'));
  const { parameters = null } = spec;
  return [
    ...(isMoved ? [invalid('spec.controller', controller, 'field is immutable')] : []),
    ...controllerErrors(controller),
    ...(isObject(parameters) ? parameterErrors(parameters) : []),
  ];
}

function controllerErrors(controller: string): Errors {
  const path = 'spec.controller';
  if (controller === '') return [required(path)];
  if (controller.length > CONTROLLER_LENGTH) return [tooLong(path, CONTROLLER_LENGTH)];
  const cut = controller.indexOf('/');
  const [domain, rest] = [controller.slice(0, Math.max(cut, 0)), controller.slice(cut + 1)];
  if (domain === '' || rest === '') {
    return [invalid(path, controller, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  }
  return subdomainErrors(path, domain);
}

const SCOPES = ['Cluster', 'Namespace'];

function parameterErrors(parameters: JsonObject): Errors {
  const path = 'spec.parameters';
  const scope = textAt(parameters, 'scope');
  const reference = referenceErrors(path, parameters);
  if (!SCOPES.includes(scope)) return [...reference, notSupported(`${path}.scope`, scope, SCOPES)];
  return [...reference, ...placeErrors(`${path}.namespace`, scope, parameters.namespace ?? null)];
}

function placeErrors(path: string, scope: string, namespace: Json): Errors {
  const isNamed = namespace !== null && namespace !== '';
  if (scope === 'Namespace') return isNamed ? [] : [required(path, "`parameters.scope` is set to 'Namespace'")];
  return namespace === null ? [] : [forbidden(path, "`parameters.scope` is set to 'Cluster'")];
}
