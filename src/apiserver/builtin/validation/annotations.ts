// Annotations that mean something for a Pod: most say in the old way what a field says now, and must agree with it.

import type { FieldError, Json, JsonObject } from '../../parts.ts';
import { forbidden, invalid } from '../../schema/field-errors.ts';
import { isList, isObject, objectAt, textAt } from '../json.ts';
import { NONE } from './fields.ts';
import { descendingErrors } from './paths.ts';
import { eachContainer, securityOf } from './pod-view.ts';
import type { Errors } from './texts.ts';
import { tolerationErrors } from './tolerations.ts';

const MIRROR = 'kubernetes.io/config.mirror';
const COST = 'controller.kubernetes.io/pod-deletion-cost';
const TOLERATIONS = 'scheduler.alpha.kubernetes.io/tolerations';
const SECCOMP = 'seccomp.security.alpha.kubernetes.io/pod';
const SECCOMP_OF = 'container.seccomp.security.alpha.kubernetes.io/';
const APP_ARMOR_OF = 'container.apparmor.security.beta.kubernetes.io/';
const LOCAL = 'localhost/';
const MAX_COST = 2n ** 31n;

type Annotations = JsonObject;

export const annotationsOf = (holder: JsonObject): Annotations => objectAt(objectAt(holder, 'metadata'), 'annotations');

export function annotationErrors(path: string, annotations: Annotations, spec: JsonObject): Errors {
  const keys = Object.keys(annotations);
  if (keys.length === 0) return NONE;
  const all = keys.sort();
  return [
    ...mirrorErrors(`${path}[${MIRROR}]`, annotations[MIRROR], spec),
    ...writtenTolerationErrors(`${path}.${TOLERATIONS}`, textAt(annotations, TOLERATIONS)),
    ...costErrors(`${path}[${COST}]`, annotations[COST]),
    ...[SECCOMP, ...all.filter(key => key.startsWith(SECCOMP_OF))].flatMap(key =>
      seccompErrors(`${path}.${key}`, annotations[key]),
    ),
    ...all
      .filter(key => key.startsWith(APP_ARMOR_OF))
      .flatMap(key => appArmorErrors(`${path}[${key}]`, key, { annotations, spec })),
  ];
}

/** A mirror is a kubelet's own: it is where it says. */
function mirrorErrors(path: string, value: Json | undefined, spec: JsonObject): Errors {
  if (value === undefined || textAt(spec, 'nodeName') !== '') return NONE;
  return [invalid(path, value, 'must set spec.nodeName if mirror pod annotation is set')];
}

function writtenTolerationErrors(path: string, text: string): Errors {
  if (text === '') return NONE;
  const list = parsed(text);
  if (!isList(list)) return [invalid(path.slice(0, -TOLERATIONS.length - 1), TOLERATIONS, 'invalid JSON')];
  return tolerationErrors(path, list.filter(isObject));
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function costErrors(path: string, value: Json | undefined): Errors {
  if (value === undefined) return NONE;
  const text = String(value);
  const number = /^(0|-?[1-9]\d*|-0\d*)$/.test(text) ? BigInt(text) : MAX_COST;
  return number < MAX_COST && number >= -MAX_COST ? NONE : [invalid(path, value, 'must be a 32bit integer')];
}

function seccompErrors(path: string, value: Json | undefined): Errors {
  if (value === undefined) return NONE;
  const profile = String(value);
  if (profile === 'runtime/default' || profile === 'docker/default' || profile === 'unconfined') return NONE;
  if (profile.startsWith(LOCAL)) return descendingErrors(path, profile.slice(LOCAL.length));
  return [invalid(path, profile, 'must be a valid seccomp profile')];
}

interface Told {
  readonly annotations: Annotations;
  readonly spec: JsonObject;
}

function appArmorErrors(path: string, key: string, { annotations, spec }: Told): Errors {
  const [name, profile] = [key.slice(APP_ARMOR_OF.length), textAt(annotations, key)];
  const names = eachContainer('', spec, container => [textAt(container, 'name')]);
  const isKnown = profile === '' || profile === 'runtime/default' || profile === 'unconfined';
  const why = `invalid AppArmor profile name: ${JSON.stringify(profile)}`;
  return [
    ...(names.includes(name) ? NONE : [invalid(path, name, 'container not found')]),
    ...(isKnown || profile.startsWith(LOCAL) ? NONE : [invalid(path, profile, why)]),
  ];
}

/** Where both speak, they say the same. */
export function agreementErrors(path: string, annotations: Annotations, spec: JsonObject): Errors {
  if (Object.keys(annotations).length === 0) return NONE;
  const context = securityOf(spec);
  const seccomp = `${path}.securityContext.seccompProfile`;
  return [
    ...agreed({ path: seccomp, what: 'seccomp' }, context.seccompProfile, annotations[SECCOMP]),
    ...eachContainer<FieldError>(path, spec, (container, at) => {
      const said = annotations[`${SECCOMP_OF}${textAt(container, 'name')}`];
      const own = `${at}.securityContext.seccompProfile`;
      return agreed({ path: own, what: 'seccomp' }, securityOf(container).seccompProfile, said);
    }),
    ...(objectAt(spec, 'os').name === 'windows' ? NONE : appArmorAgreement(path, annotations, spec)),
  ];
}

function appArmorAgreement(path: string, annotations: Annotations, spec: JsonObject): Errors {
  const { appArmorProfile: ofPod } = securityOf(spec);
  return eachContainer<FieldError>(path, spec, (container, at) => {
    const said = annotations[`${APP_ARMOR_OF}${textAt(container, 'name')}`];
    const own = securityOf(container).appArmorProfile ?? ofPod;
    return agreed({ path: `${at}.securityContext.appArmorProfile`, what: 'apparmor' }, own, said);
  });
}

const WRITTEN: Readonly<Record<string, readonly string[]>> = {
  'seccomp Unconfined': ['unconfined'],
  'seccomp RuntimeDefault': ['runtime/default', 'docker/default'],
  'apparmor Unconfined': ['unconfined'],
  'apparmor RuntimeDefault': ['runtime/default'],
};

interface Of {
  readonly path: string;
  readonly what: 'seccomp' | 'apparmor';
}

function agreed({ path, what }: Of, profile: Json | undefined, said: Json | undefined): Errors {
  if (!isObject(profile) || typeof said !== 'string') return NONE;
  const type = textAt(profile, 'type');
  const typesDiffer = [forbidden(`${path}.type`, `${what} type in annotation and field must match`)];
  if (type === 'Localhost') {
    if (!said.startsWith(LOCAL)) return typesDiffer;
    const why = `${what} profile in annotation and field must match`;
    return profile.localhostProfile === said.slice(LOCAL.length) ? NONE : [forbidden(`${path}.localhostProfile`, why)];
  }
  const written = WRITTEN[`${what} ${type}`];
  return written === undefined || written.includes(said) ? NONE : typesDiffer;
}

/** What a Pod's own kubelet, or the Node, goes by is not changed under it. */
export function annotationChangeErrors(annotations: Annotations, old: Annotations): Errors {
  const errors: FieldError[] = [];
  const not = (key: string, what: string): void => {
    const isArmor = key.startsWith(APP_ARMOR_OF);
    if (!isArmor && key !== MIRROR) return;
    const of = isArmor ? 'AppArmor annotations' : 'mirror pod annotation';
    errors.push(forbidden(`metadata.annotations[${key}]`, `may not ${what} ${of}`));
  };
  for (const key of Object.keys(old)) if (annotations[key] !== old[key]) not(key, 'remove or update');
  for (const key of Object.keys(annotations)) if (!Object.hasOwn(old, key)) not(key, 'add');
  return errors;
}
