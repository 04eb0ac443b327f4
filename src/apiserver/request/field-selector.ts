// Field selectors: which fields each kind can be selected by, and whether an object is selected.

import { servedForm, showsStoredBytes } from '../objects/forms.ts';
import type { Json, JsonObject, Resource } from '../parts.ts';
import { isObject } from '../rules/json.ts';

/** Whether an object's fields are selected. */
export type FieldMatch = (object: JsonObject) => boolean;

interface Term {
  readonly field: string;
  readonly value: string;
  readonly equal: boolean;
}

const COMMON: readonly string[] = ['metadata.name', 'metadata.namespace'];

/** Beyond name and namespace, by `plural.group`. */
const SELECTABLE: Readonly<Record<string, readonly string[]>> = {
  pods: [
    'spec.nodeName',
    'spec.restartPolicy',
    'spec.schedulerName',
    'spec.serviceAccountName',
    'spec.hostNetwork',
    'status.phase',
    'status.podIP',
    'status.podIPs',
    'status.nominatedNodeName',
  ],
  nodes: ['spec.unschedulable'],
  namespaces: ['status.phase'],
  secrets: ['type'],
  services: ['spec.clusterIP', 'spec.type'],
  events: [
    'involvedObject.kind',
    'involvedObject.namespace',
    'involvedObject.name',
    'involvedObject.uid',
    'involvedObject.apiVersion',
    'involvedObject.resourceVersion',
    'involvedObject.fieldPath',
    'reason',
    'reportingComponent',
    'source',
    'type',
  ],
  'events.events.k8s.io': [
    'regarding.kind',
    'regarding.namespace',
    'regarding.name',
    'regarding.uid',
    'regarding.apiVersion',
    'regarding.resourceVersion',
    'regarding.fieldPath',
    'reason',
    'reportingController',
    'type',
  ],
  replicationcontrollers: ['status.replicas'],
  'jobs.batch': ['status.successful'],
  'resourceslices.resource.k8s.io': ['spec.nodeName', 'spec.driver'],
  'certificatesigningrequests.certificates.k8s.io': ['spec.signerName'],
};

/** What a field reads where its plain path does not say so. */
const READS: Readonly<Record<string, (object: JsonObject) => Json | undefined>> = {
  source: object => at(object, 'source.component') ?? at(object, 'reportingComponent'),
  reportingComponent: object => at(object, 'reportingComponent') ?? at(object, 'source.component'),
  'spec.unschedulable': object => at(object, 'spec.unschedulable') ?? false,
  'spec.hostNetwork': object => at(object, 'spec.hostNetwork') ?? false,
  'status.replicas': object => at(object, 'status.replicas') ?? 0,
  'status.successful': object => at(object, 'status.succeeded') ?? 0,
};

/** The selector that `text` says for this resource, or the sentence that says why it is none. */
export function parseFieldSelector(text: string, resource: Resource): FieldMatch | { readonly problem: string } {
  const terms: Term[] = [];
  for (const part of splitUnescaped(text)) {
    const term = termOf(part);
    if (term === undefined) return { problem: `invalid selector: '${text}'; can't understand '${part}'` };
    if ('problem' in term) return term;
    if (!isSelectable(resource, term.field)) return { problem: unselectable(resource, term.field) };
    terms.push(term);
  }
  return object => {
    const served = showsStoredBytes(resource) ? object : servedForm(object, resource);
    return terms.every(({ field, value, equal }) => (textAt(served, field) === value) === equal);
  };
}

/** Kinds with fields of their own say it otherwise than those without. */
/** Why nobody could read it; undefined: somebody may. */
export function fieldSelectorProblem(text: string): string | undefined {
  for (const part of splitUnescaped(text)) {
    const term = part === '' ? undefined : termOf(part);
    if (part !== '' && term === undefined) return `invalid selector: '${text}'; can't understand '${part}'`;
    if (term !== undefined && 'problem' in term) return term.problem;
  }
  return undefined;
}

function unselectable(resource: Resource, field: string): string {
  if (hasOwnFields(resource)) return `field label not supported: ${field}`;
  return `${JSON.stringify(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`;
}

const hasOwnFields = (resource: Resource): boolean =>
  resource.origin === 'custom' || SELECTABLE[nameOf(resource)] !== undefined;

const nameOf = ({ group, plural }: Resource): string => (group === '' ? plural : `${plural}.${group}`);

function isSelectable(resource: Resource, field: string): boolean {
  if (COMMON.includes(field)) return field !== 'metadata.namespace' || resource.namespaced || !hasOwnFields(resource);
  return (
    (resource.origin === 'builtin' ? SELECTABLE[nameOf(resource)] : resource.selectableFields)?.includes(field) ?? false
  );
}

function textAt(object: JsonObject, field: string): string {
  const read = READS[field];
  const value = read === undefined ? at(object, field) : read(object);
  return value === undefined || value === null ? '' : String(value);
}

function at(object: JsonObject, path: string): Json | undefined {
  let value: Json | undefined = object;
  for (const key of path.split('.')) value = isObject(value) ? value[key] : undefined;
  return value;
}

/** Splits at commas that no backslash stands before; an empty selector has no terms. */
function splitUnescaped(text: string): string[] {
  return text.split(/(?<!\\),/).filter(part => part !== '');
}

/** At the first sign that compares, wherever it stands. */
function termOf(part: string): Term | { readonly problem: string } | undefined {
  const match = /^(.*?)(!=|==|=)(.*)$/s.exec(part);
  if (match === null) return undefined;
  const [, field = '', sign, text = ''] = match;
  const problem = valueProblem(text);
  if (problem !== undefined) return { problem: `invalid field selector: ${problem}` };
  return { field, value: text.replaceAll(/\\(.)/g, '$1'), equal: sign !== '!=' };
}

/** A backslash stands before itself, a comma or an equals sign, which mean nothing else in a value. */
function valueProblem(text: string): string | undefined {
  const bare = text.replaceAll(/\\[\\,=]/g, '');
  const bad = /\\(.?)/su.exec(bare);
  const sign = /[,=]/.exec(bare);
  if (bad !== null && (sign === null || bad.index < sign.index)) return `invalid escape sequence: ${bad[0]}`;
  return sign === null ? undefined : `unescaped character in value: ${sign[0].charCodeAt(0)}`;
}
