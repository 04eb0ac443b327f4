// What is doubtful in a container: annotations in the place of its fields, broken bytes, variables that hide others.

import { APP_ARMOR_OF, appArmorOf } from '../objects/app-armor.ts';
import type { JsonObject } from '../parts.ts';
import { fractionWarnings } from './fraction-warnings.ts';
import { isObject, objectAt, objectsAt, sameJson, textAt } from './json.ts';
import { eachContainer } from './validation/pod-view.ts';

const SECCOMP_OF = 'container.seccomp.security.alpha.kubernetes.io/';

/** `prefix` leads to a template; a Pod itself has none. */
export function containerWarnings(
  prefix: string,
  spec: JsonObject,
  annotations: JsonObject | undefined,
): readonly string[] {
  return eachContainer(`${prefix}spec`, spec, (container, path) => [
    ...(annotations === undefined ? [] : annotationWarnings(prefix, { annotations, spec }, container)),
    ...byteWarnings(`${path}.resources`, container.resources),
    ...(container.env === undefined ? [] : variableWarnings(`${path}.env`, objectsAt(container, 'env'))),
  ]);
}

interface Around {
  readonly annotations: JsonObject;
  readonly spec: JsonObject;
}

/** Of Pods themselves AppArmor annotations are told where they are made fields. */
function annotationWarnings(prefix: string, { annotations, spec }: Around, container: JsonObject): readonly string[] {
  const [path, name] = [`${prefix}metadata.annotations`, textAt(container, 'name')];
  const { seccompProfile, appArmorProfile } = objectAt(container, 'securityContext');
  const [seccomp, appArmor] = [`${SECCOMP_OF}${name}`, `${APP_ARMOR_OF}${name}`];
  const said = annotations[appArmor];
  const isArmed = prefix === '' || said === undefined || appArmorProfile !== undefined || isOfPod(spec, said);
  return [
    ...(seccompProfile !== undefined || annotations[seccomp] === undefined
      ? []
      : [`${path}[${seccomp}]: non-functional in v1.27+; use the "seccompProfile" field instead`]),
    ...(isArmed ? [] : [`${path}[${appArmor}]: deprecated since v1.30; use the "appArmorProfile" field instead`]),
  ];
}

function isOfPod(spec: JsonObject, said: JsonObject[string]): boolean {
  const { appArmorProfile } = objectAt(spec, 'securityContext');
  return appArmorProfile !== undefined && sameJson(appArmorProfile, appArmorOf(String(said)));
}

function byteWarnings(path: string, resources: JsonObject[string] | undefined): readonly string[] {
  if (!isObject(resources)) return [];
  return ['memory', 'ephemeral-storage'].flatMap(name =>
    ['limits', 'requests'].flatMap(key =>
      resources[key] === undefined ? [] : fractionWarnings(`${path}.${key}`, objectAt(resources, key), [name]),
    ),
  );
}

/** One that is made of the one before it hides nothing. */
function variableWarnings(path: string, variables: readonly JsonObject[]): readonly string[] {
  const seen = new Set<string>();
  return variables.flatMap((variable, index) => {
    const [name, value] = [textAt(variable, 'name'), textAt(variable, 'value')];
    const reference = `$(${name})`;
    const isMore = !isObject(variable.valueFrom) && value !== reference && value.includes(reference);
    const isHiding = seen.has(name) && !isMore;
    seen.add(name);
    const why = `hides previous definition of ${JSON.stringify(name)}, which may be dropped when using apply`;
    return isHiding ? [`${path}[${index}]: ${why}`] : [];
  });
}
