// What every container must be: named, with an image, and all that it says of itself sound.

import type { JsonObject } from '../../parts.ts';
import { duplicate, forbidden, invalid, notFound, required } from '../../schema/field-errors.ts';
import { isObject, objectsAt, textAt } from '../json.ts';
import { variableErrors, wholeSourceErrors } from './environment.ts';
import { type Checks, chosen, fieldErrors, NONE } from './fields.ts';
import { deviceErrors, mountErrors } from './mounts.ts';
import type { ContainerView, PodView } from './pod-view.ts';
import { containerPortErrors, hostPortErrors } from './ports.ts';
import { LASTING } from './probe.ts';
import { resourceErrors } from './resources.ts';
import { resizeErrors, restartErrors } from './restart-rules.ts';
import { containerSecurityErrors } from './security.ts';
import { type Errors, labelErrors } from './texts.ts';

const CHECKS: Checks<ContainerView> = [
  ['terminationMessagePolicy', chosen('File', 'FallbackToLogsOnError')],
  ['ports', containerPortErrors],
  ['env', variableErrors],
  ['envFrom', wholeSourceErrors],
  ['volumeMounts', mountErrors],
  ['volumeDevices', deviceErrors],
  ['imagePullPolicy', chosen('Always', 'IfNotPresent', 'Never')],
  ['resources', (path, value, { pod }) => (isObject(value) ? resourceErrors(path, value, pod.claims) : NONE)],
  ['resizePolicy', resizeErrors],
  ['securityContext', containerSecurityErrors],
];

function commonErrors(view: ContainerView): Errors {
  const { path, container } = view;
  const name = textAt(container, 'name');
  const named = name === '' ? [required(`${path}.name`)] : labelErrors(`${path}.name`, name);
  const imaged = textAt(container, 'image') === '' ? [required(`${path}.image`)] : NONE;
  return [...named, ...imaged, ...fieldErrors(CHECKS, path, container, view)];
}

const viewsOf = (pod: PodView, key: string): readonly ContainerView[] =>
  objectsAt(pod.spec, key).map((container, index) => ({ pod, container, path: `${pod.path}.${key}[${index}]` }));

function takenErrors({ path, container }: ContainerView, taken: Set<string>): Errors {
  const name = textAt(container, 'name');
  if (taken.has(name)) return [duplicate(`${path}.name`, name)];
  taken.add(name);
  return NONE;
}

export function containersErrors(pod: PodView): Errors {
  const views = viewsOf(pod, 'containers');
  const path = `${pod.path}.containers`;
  if (views.length === 0) return [required(path)];
  const names = new Set<string>();
  const errors = views.flatMap(view => [
    ...commonErrors(view),
    ...takenErrors(view, names),
    ...fieldErrors(LASTING, view.path, view.container, view),
    ...restartErrors(view.path, view.container, view),
  ]);
  const ports = hostPortErrors(
    path,
    views.map(({ container }) => container),
  );
  return ports.length === 0 ? errors : [...errors, ...ports];
}

const namesIn = (pod: PodView, ...keys: readonly string[]): Set<string> =>
  new Set(keys.flatMap(key => objectsAt(pod.spec, key).map(container => textAt(container, 'name'))));

/** Containers that run before the others, or beside them. */
export function initContainersErrors(pod: PodView): Errors {
  const names = namesIn(pod, 'containers');
  return viewsOf(pod, 'initContainers').flatMap(view => [
    ...commonErrors(view),
    ...initRestartErrors(view),
    ...(view.container.name === '' ? NONE : takenErrors(view, names)),
    ...hostPortErrors(`${pod.path}.initContainers`, [view.container]),
    ...(isSidecar(view) ? fieldErrors(LASTING, view.path, view.container, view) : endingErrors(view)),
  ]);
}

const isSidecar = ({ container }: ContainerView): boolean => container.restartPolicy === 'Always';

function initRestartErrors(view: ContainerView): Errors {
  const { path, container } = view;
  if (container.restartPolicy !== undefined) return restartErrors(path, container, view);
  const isLost = objectsAt(container, 'restartPolicyRules').length > 0;
  const why = 'must specify restartPolicy when restart rules are used';
  return isLost ? [required(`${path}.restartPolicy`, why)] : NONE;
}

/** What ends is not asked whether it lives, and not started anew to be resized. */
function endingErrors({ path, container }: ContainerView): Errors {
  const lasting = LASTING.filter(([key]) => container[key] !== undefined);
  const why = 'may not be set for init containers without restartPolicy=Always';
  const never = "must not be set to 'RestartContainer' for non-sidecar initContainers";
  return [
    ...lasting.map(([key]) => forbidden(`${path}.${key}`, why)),
    ...objectsAt(container, 'resizePolicy').flatMap(({ restartPolicy }, index) =>
      restartPolicy === 'RestartContainer'
        ? [invalid(`${path}.resizePolicy[${index}].restartPolicy`, restartPolicy, never)]
        : NONE,
    ),
  ];
}

/** What a container that only looks cannot have. */
const NOT_EPHEMERAL = [
  'ports',
  'resources',
  'resizePolicy',
  'restartPolicy',
  'restartPolicyRules',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
] as const;
const NOT_FOR_LOOKING = 'cannot be set for an Ephemeral Container';

export function ephemeralContainersErrors(pod: PodView): Errors {
  const others = namesIn(pod, 'containers', 'initContainers');
  const names = new Set(others);
  return viewsOf(pod, 'ephemeralContainers').flatMap(view => {
    const { path, container } = view;
    const target = textAt(container, 'targetContainerName');
    const isLost = target !== '' && !others.has(target);
    return [
      ...commonErrors(view),
      ...paddedErrors(path, container),
      ...takenErrors(view, names),
      ...(isLost ? [notFound(`${path}.targetContainerName`, target)] : NONE),
      ...lookingErrors(path, container),
    ];
  });
}

function lookingErrors(path: string, container: JsonObject): Errors {
  const given = NOT_EPHEMERAL.filter(key => !isNothing(key, container[key]));
  return [
    ...given.map(key => forbidden(`${path}.${key}`, NOT_FOR_LOOKING)),
    ...objectsAt(container, 'volumeMounts').flatMap((mount, index) =>
      ['subPath', 'subPathExpr']
        .filter(key => textAt(mount, key) !== '')
        .map(key => forbidden(`${path}.volumeMounts[${index}].${key}`, NOT_FOR_LOOKING)),
    ),
  ];
}

/** Resources of no kind are none; an empty probe or hook is one. */
function isNothing(key: string, value: JsonObject[string] | undefined): boolean {
  if (value === undefined) return true;
  if (Array.isArray(value)) return value.length === 0;
  return key === 'resources' && isObject(value) && Object.keys(value).length === 0;
}

/** Templates may have such images: something else fills them in. */
export function paddedErrors(path: string, container: JsonObject): Errors {
  const image = textAt(container, 'image');
  if (image.trim() === image) return NONE;
  return [invalid(`${path}.image`, image, 'must not have leading or trailing whitespace')];
}
