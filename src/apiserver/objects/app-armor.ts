// AppArmor profiles that annotations name in the old way: the containers of a new Pod get them as fields.

import type { Call } from '../core.ts';
import type { JsonObject } from '../parts.ts';
import { isObject, listAt, objectAt, sameJson, stringAt } from '../rules/json.ts';

export const APP_ARMOR_OF = 'container.apparmor.security.beta.kubernetes.io/';
const LOCAL = 'localhost/';
const KINDS = ['initContainers', 'containers', 'ephemeralContainers'];

/** The field that says the same; undefined when the annotation says nothing that is known. */
export function appArmorOf(annotation: string): JsonObject | undefined {
  if (annotation === 'unconfined') return { type: 'Unconfined' };
  if (annotation === 'runtime/default') return { type: 'RuntimeDefault' };
  const name = annotation.startsWith(LOCAL) ? annotation.slice(LOCAL.length) : '';
  return name === '' ? undefined : { type: 'Localhost', localhostProfile: name };
}

/** The spec with what the annotations say, and a warning for each that should be a field. */
export function withAppArmor(spec: JsonObject, annotations: JsonObject, { warnings }: Call): JsonObject {
  const keys = Object.keys(annotations).filter(key => key.startsWith(APP_ARMOR_OF));
  if (keys.length === 0 || objectAt(spec, 'os').name === 'windows') return spec;
  const { appArmorProfile: ofPod } = objectAt(spec, 'securityContext');
  const armed = (container: JsonObject): JsonObject => {
    const key = `${APP_ARMOR_OF}${stringAt(container, 'name')}`;
    const context = objectAt(container, 'securityContext');
    if (annotations[key] === undefined || context.appArmorProfile !== undefined) return container;
    const own = appArmorOf(stringAt(annotations, key));
    const isUsable =
      own !== undefined && stringAt(own, 'localhostProfile').trim() === stringAt(own, 'localhostProfile');
    const isNew = isUsable && !sameJson(own, ofPod);
    if (isUsable && !isNew) return container;
    warnings.push(`metadata.annotations[${key}]: deprecated since v1.30; use the "appArmorProfile" field instead`);
    return isNew ? { ...container, securityContext: { ...context, appArmorProfile: own } } : container;
  };
  const lists = KINDS.filter(kind => spec[kind] !== undefined).map(kind => [
    kind,
    listAt(spec, kind).filter(isObject).map(armed),
  ]);
  return { ...spec, ...Object.fromEntries(lists) };
}
