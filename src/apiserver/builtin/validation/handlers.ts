// What is asked of a container, or done with it: a command, a request, a connection, a sleep; one of them.

import type { Json, JsonObject } from '../../parts.ts';
import { forbidden, invalid, required } from '../../schema/field-errors.ts';
import { countAt } from '../counts.ts';
import { isObject, listAt, objectsAt, textAt } from '../json.ts';
import { type Checks, fieldErrors, NONE, ofObject, supportedErrors } from './fields.ts';
import type { ContainerView } from './pod-view.ts';
import { type Errors, portErrors, portNameProblems } from './texts.ts';

const SCHEMES = ['HTTP', 'HTTPS'];
const HEADER = /^[-A-Za-z0-9]+$/;
const HEADER_TEXT =
  "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')";

type Handler = (path: string, handler: JsonObject, view: ContainerView) => Errors;

const ASKED: readonly (readonly [string, Handler])[] = [
  ['exec', commandErrors],
  ['httpGet', requestErrors],
  ['tcpSocket', (path, { port }) => portOrNameErrors(`${path}.port`, port ?? 0)],
];

const PROBED = [
  ...ASKED,
  ['grpc', (path: string, handler: JsonObject) => portErrors(`${path}.port`, countAt(handler, 'port'))],
] as const;
const HOOKED = [...ASKED, ['sleep', sleepErrors]] as const;

/** The first counts, the others are too many. */
function oneOf(handlers: typeof ASKED, path: string, holder: JsonObject, view: ContainerView): Errors {
  const given = handlers.filter(([key]) => isObject(holder[key]));
  const [first] = given;
  if (first === undefined) return [required(path, 'must specify a handler type')];
  return given.flatMap(([key, check]) => {
    const handler = holder[key];
    if (key !== first[0]) return [forbidden(`${path}.${key}`, 'may not specify more than 1 handler type')];
    return isObject(handler) ? check(`${path}.${key}`, handler, view) : NONE;
  });
}

export const probeHandlerErrors = (path: string, probe: JsonObject, view: ContainerView): Errors =>
  oneOf(PROBED, path, probe, view);

const hookErrors = ofObject<ContainerView>((path, hook, view) => oneOf(HOOKED, path, hook, view));

const HOOKS: Checks<ContainerView> = [
  ['postStart', hookErrors],
  ['preStop', hookErrors],
];

export const lifecycleErrors = ofObject<ContainerView>((path, lifecycle, view) =>
  fieldErrors(HOOKS, path, lifecycle, view),
);

function commandErrors(path: string, exec: JsonObject): Errors {
  return listAt(exec, 'command').length === 0 ? [required(`${path}.command`)] : NONE;
}

function requestErrors(path: string, http: JsonObject): Errors {
  return [
    ...(textAt(http, 'path') === '' ? [required(`${path}.path`)] : NONE),
    ...portOrNameErrors(`${path}.port`, http.port ?? 0),
    ...supportedErrors(`${path}.scheme`, textAt(http, 'scheme'), SCHEMES),
    ...objectsAt(http, 'httpHeaders')
      .map(header => textAt(header, 'name'))
      .filter(name => !HEADER.test(name))
      .map(name => invalid(`${path}.httpHeaders`, name, HEADER_TEXT)),
  ];
}

function portOrNameErrors(path: string, port: Json): Errors {
  if (typeof port !== 'string') return portErrors(path, port);
  return portNameProblems(port).map(why => invalid(path, port, why));
}

function sleepErrors(path: string, sleep: JsonObject, { pod: { graceSeconds } }: ContainerView): Errors {
  const seconds = countAt(sleep, 'seconds');
  if (graceSeconds === undefined || (seconds >= 0 && seconds <= graceSeconds)) return NONE;
  const why = `must be non-negative and less than terminationGracePeriodSeconds (${graceSeconds})`;
  return [invalid(path, seconds, why)];
}
