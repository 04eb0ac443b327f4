// What an APIService must be: named after its group version, and either served here or by a Service.

import type { JsonObject } from '../../parts.ts';
import { invalid, required } from '../../schema/field-errors.ts';
import { isObject, numberAt, objectAt, textAt } from '../json.ts';
import type { Errors } from './texts.ts';

export function apiServiceErrors(apiService: JsonObject, _old: JsonObject | undefined, part: string): Errors {
  if (part === 'status') return [];
  const spec = objectAt(apiService, 'spec');
  return [
    ...nameErrors(textAt(objectAt(apiService, 'metadata'), 'name'), spec),
    ...priorityErrors(spec, 'groupPriorityMinimum', 20_000),
    ...priorityErrors(spec, 'versionPriority', 1000),
    ...(isObject(spec.service) ? serviceErrors(spec.service) : localErrors(spec)),
  ];
}

function nameErrors(name: string, spec: JsonObject): Errors {
  const [group, version] = [textAt(spec, 'group'), textAt(spec, 'version')];
  const wanted = `${version}.${group}`;
  const why = `must be \`spec.version+"."+spec.group\`: ${JSON.stringify(wanted)}`;
  return [
    ...(name === wanted ? [] : [invalid('metadata.name', name, why)]),
    ...(group === '' && version !== 'v1'
      ? [required('spec.group', 'only v1 may have an empty group and it better be legacy kube')]
      : []),
    ...(LABEL.test(version) ? [] : [invalid('spec.version', version, NO_LABEL)]),
  ];
}

const LABEL = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const NO_LABEL =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";

function priorityErrors(spec: JsonObject, key: string, most: number): Errors {
  const priority = numberAt(spec, key) ?? 0;
  if (priority > 0 && priority <= most) return [];
  return [invalid(`spec.${key}`, priority, `must be positive and less than ${most}`)];
}

const serviceErrors = (service: JsonObject): Errors =>
  ['namespace', 'name'].flatMap(key => (textAt(service, key) === '' ? [required(`spec.service.${key}`)] : []));

function localErrors(spec: JsonObject): Errors {
  const bundle = Buffer.from(textAt(spec, 'caBundle'), 'base64').length;
  return [
    ...(bundle > 0 ? [invalid('spec.caBundle', `${bundle} bytes`, 'local APIServices may not have a caBundle')] : []),
    ...(spec.insecureSkipTLSVerify === true
      ? [invalid('spec.insecureSkipTLSVerify', true, 'local APIServices may not have insecureSkipTLSVerify')]
      : []),
  ];
}
