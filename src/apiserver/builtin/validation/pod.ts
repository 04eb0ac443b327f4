// What a Pod must be, by itself and as a template's.

import type { JsonObject } from '../../parts.ts';
import { invalid, notSupported, required } from '../../schema/field-errors.ts';
import { numberAt, objectAt, objectsAt, textAt } from '../json.ts';
import { nodeAffinityErrors } from './affinity.ts';
import { containerErrors } from './container.ts';
import { type Errors, labelErrors, labelMapErrors, subdomainErrors } from './texts.ts';
import { tolerationErrors } from './tolerations.ts';
import { volumeErrors } from './volumes.ts';

const RESTART_POLICIES = ['Always', 'OnFailure', 'Never'];
const DNS_POLICIES = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];
const MAX_SECONDS = 2_147_483_647;

export function podSpecErrors(path: string, spec: JsonObject): Errors {
  const volumes = objectsAt(spec, 'volumes');
  const context = { volumes: new Set(volumes.map(volume => textAt(volume, 'name'))), names: new Set<string>() };
  const containers = (key: string): Errors =>
    objectsAt(spec, key).flatMap((container, index) => containerErrors(`${path}.${key}[${index}]`, container, context));
  return [
    ...volumeErrors(`${path}.volumes`, volumes),
    ...(objectsAt(spec, 'containers').length === 0 ? [required(`${path}.containers`)] : []),
    ...containers('containers'),
    ...containers('initContainers'),
    ...supported(`${path}.restartPolicy`, textAt(spec, 'restartPolicy'), RESTART_POLICIES),
    ...supported(`${path}.dnsPolicy`, textAt(spec, 'dnsPolicy'), DNS_POLICIES),
    ...labelMapErrors(`${path}.nodeSelector`, objectAt(spec, 'nodeSelector')),
    ...nodeAffinityErrors(`${path}.affinity`, objectAt(spec, 'affinity')),
    ...named(`${path}.nodeName`, textAt(spec, 'nodeName'), subdomainErrors),
    ...named(`${path}.serviceAccountName`, textAt(spec, 'serviceAccountName'), subdomainErrors),
    ...deadlineErrors(`${path}.activeDeadlineSeconds`, numberAt(spec, 'activeDeadlineSeconds')),
    ...named(`${path}.hostname`, textAt(spec, 'hostname'), labelErrors),
    ...named(`${path}.subdomain`, textAt(spec, 'subdomain'), labelErrors),
    ...tolerationErrors(`${path}.tolerations`, objectsAt(spec, 'tolerations')),
  ];
}

const named = (path: string, name: string, check: (path: string, name: string) => Errors): Errors =>
  name === '' ? [] : check(path, name);

function supported(path: string, value: string, values: readonly string[]): Errors {
  if (value === '') return [required(path)];
  return values.includes(value) ? [] : [notSupported(path, value, values)];
}

function deadlineErrors(path: string, seconds: number | undefined): Errors {
  const isFine = seconds === undefined || (seconds >= 1 && seconds <= MAX_SECONDS);
  return isFine ? [] : [invalid(path, seconds, `must be between 1 and ${MAX_SECONDS}, inclusive`)];
}
