// What webhook configurations must be.

import { REQUEST_SCOPE } from '../../admission/expressions.ts';
import type { Json, JsonObject } from '../../parts.ts';
import { duplicate, invalid, notSupported, required } from '../../schema/field-errors.ts';
import { isObject, listAt, numberAt, objectAt, textAt } from '../json.ts';
import { conditionsErrors, oneOf, ruleErrors, selectorErrors } from './match-rules.ts';
import { type Errors, portErrors, subdomainErrors } from './texts.ts';

const KNOWN_VERSIONS = ['v1', 'v1beta1'];
const SIDE_EFFECTS = ['None', 'NoneOnDryRun'];
const MAX_TIMEOUT_SECONDS = 30;
const DNS_LABEL = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const DNS_LABEL_TEXT =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";

export function webhookConfigurationErrors(configuration: JsonObject): Errors {
  const seen = new Set<string>();
  return listAt(configuration, 'webhooks')
    .filter(isObject)
    .flatMap((webhook, index) => {
      const path = `webhooks[${index}]`;
      const name = textAt(webhook, 'name');
      const isKnown = seen.has(name);
      seen.add(name);
      return [
        ...webhookErrors(path, webhook),
        ...versionsErrors(`${path}.admissionReviewVersions`, listAt(webhook, 'admissionReviewVersions')),
        ...(isKnown && name !== '' ? [duplicate(`${path}.name`, name)] : []),
      ];
    });
}

function webhookErrors(path: string, webhook: JsonObject): Errors {
  const rules = listAt(webhook, 'rules').filter(isObject);
  return [
    ...nameErrors(`${path}.name`, textAt(webhook, 'name')),
    ...rules.flatMap((rule, index) => ruleErrors(`${path}.rules[${index}]`, rule)),
    ...oneOf(`${path}.failurePolicy`, webhook.failurePolicy ?? 'Fail', ['Fail', 'Ignore']),
    ...oneOf(`${path}.matchPolicy`, webhook.matchPolicy ?? 'Equivalent', ['Equivalent', 'Exact']),
    ...sideEffectsErrors(`${path}.sideEffects`, webhook.sideEffects),
    ...timeoutErrors(`${path}.timeoutSeconds`, numberAt(webhook, 'timeoutSeconds')),
    ...selectorErrors(`${path}.namespaceSelector`, objectAt(webhook, 'namespaceSelector')),
    ...selectorErrors(`${path}.objectSelector`, objectAt(webhook, 'objectSelector')),
    ...oneOf(`${path}.reinvocationPolicy`, webhook.reinvocationPolicy ?? 'Never', ['IfNeeded', 'Never']),
    ...clientErrors(`${path}.clientConfig`, objectAt(webhook, 'clientConfig')),
    ...conditionsErrors(`${path}.matchConditions`, listAt(webhook, 'matchConditions'), REQUEST_SCOPE),
  ];
}

function nameErrors(path: string, name: string): Errors {
  if (name === '') return [required(path)];
  const wrong = subdomainErrors(path, name);
  if (wrong.length > 0) return wrong;
  if (name.split('.').length >= 3) return [];
  return [invalid(path, name, 'should be a domain with at least three segments separated by dots')];
}

function sideEffectsErrors(path: string, value: Json | undefined): Errors {
  if (value === undefined || value === null) return [required(path, `must specify one of ${SIDE_EFFECTS.join(', ')}`)];
  return SIDE_EFFECTS.some(each => each === value) ? [] : [notSupported(path, value, SIDE_EFFECTS)];
}

function timeoutErrors(path: string, timeoutSeconds: number | undefined): Errors {
  if (timeoutSeconds === undefined || (timeoutSeconds >= 1 && timeoutSeconds <= MAX_TIMEOUT_SECONDS)) return [];
  return [invalid(path, timeoutSeconds, `the timeout value must be between 1 and ${MAX_TIMEOUT_SECONDS} seconds`)];
}

function versionsErrors(path: string, versions: readonly Json[]): Errors {
  if (versions.length === 0) return [required(path, `must specify one of ${KNOWN_VERSIONS.join(', ')}`)];
  return reviewVersionErrors(path, versions);
}

/** Names of versions, one of which is known. */
export function reviewVersionErrors(path: string, versions: readonly Json[]): Errors {
  const seen = new Set<Json>();
  const each = versions.flatMap((version, index) => {
    const at = `${path}[${index}]`;
    if (seen.has(version)) return [invalid(at, version, 'duplicate version')];
    seen.add(version);
    return DNS_LABEL.test(String(version)) ? [] : [invalid(at, version, DNS_LABEL_TEXT)];
  });
  if (versions.some(version => KNOWN_VERSIONS.some(one => one === version))) return each;
  return [...each, invalid(path, versions, `must include at least one of ${KNOWN_VERSIONS.join(', ')}`)];
}

/** Where a webhook is: of admission, or of a conversion. */
export function clientErrors(path: string, config: JsonObject): Errors {
  const { url, service } = config;
  if ((typeof url === 'string') === isObject(service)) {
    return [required(path, 'exactly one of url or service is required')];
  }
  return isObject(service) ? serviceErrors(`${path}.service`, service) : urlErrors(`${path}.url`, String(url));
}

const DESIRED = '; desired format: https://host[/path]';

function urlErrors(path: string, url: string): Errors {
  if (url.startsWith(':')) {
    const why = `url must be a valid URL: parse ${JSON.stringify(url)}: missing protocol scheme${DESIRED}`;
    return [required(path, why)];
  }
  const parts =
    /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:\/\/(?:([^/?#@]*)@)?([^/?#]*))?[^?#]*(?:\?([^#]*))?(?:#(.*))?$/.exec(url);
  const [, scheme = '', user, host = '', query = '', fragment = ''] = parts ?? [];
  return [
    ...(scheme === 'https' ? [] : [invalid(path, scheme, `'https' is the only allowed URL scheme${DESIRED}`)]),
    ...(host === '' ? [invalid(path, host, `host must be specified${DESIRED}`)] : []),
    ...(user === undefined ? [] : [invalid(path, user, 'user information is not permitted in the URL')]),
    ...(fragment === '' ? [] : [invalid(path, fragment, 'fragments are not permitted in the URL')]),
    ...(query === '' ? [] : [invalid(path, query, 'query parameters are not permitted in the URL')]),
  ];
}

function serviceErrors(path: string, service: JsonObject): Errors {
  const port = numberAt(service, 'port');
  const wrongPort = port === undefined ? [] : portErrors(`${path}.port`, port);
  return [
    ...(textAt(service, 'name') === '' ? [required(`${path}.name`)] : []),
    ...(textAt(service, 'namespace') === '' ? [required(`${path}.namespace`)] : []),
    ...wrongPort.map(error => ({ ...error, message: error.message.replace(': must', ': port is not valid: must') })),
    ...pathErrors(`${path}.path`, textAt(service, 'path')),
  ];
}

function pathErrors(path: string, said: string): Errors {
  if (said === '' || said === '/') return [];
  const start = said.startsWith('/') ? [] : [invalid(path, said, "must start with a '/'")];
  const segments = said.slice(1).replace(/\/$/, '').split('/');
  const each = segments.flatMap((segment, index) => {
    if (segment === '') return [invalid(path, said, `segment[${index}] may not be empty`)];
    return subdomainErrors(path, segment).map(({ message }) => {
      const why = message.slice(message.indexOf(': ', message.lastIndexOf('"')) + 2);
      return invalid(path, said, `segment[${index}]: ${why}`);
    });
  });
  return [...start, ...each];
}
