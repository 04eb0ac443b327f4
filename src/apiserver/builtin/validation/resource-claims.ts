// Claims of devices: each named once in the Pod, from one source, and used under that name.

import type { FieldError, JsonObject } from '../../parts.ts';
import { duplicate, invalid, notFound, required } from '../../schema/field-errors.ts';
import { objectsAt, textAt } from '../json.ts';
import { type Check, NONE } from './fields.ts';
import type { PodView } from './pod-view.ts';
import { type Errors, labelErrors, subdomainErrors } from './texts.ts';

const [BY_NAME, BY_TEMPLATE] = ['resourceClaimName', 'resourceClaimTemplateName'] as const;

export const podClaimErrors: Check<PodView> = (path, _, { spec }) => {
  const names = new Set<string>();
  return objectsAt(spec, 'resourceClaims').flatMap((claim, index) => {
    const at = `${path}[${index}]`;
    return [...nameErrors(`${at}.name`, textAt(claim, 'name'), names), ...sourceErrors(at, claim)];
  });
};

function nameErrors(path: string, name: string, taken: Set<string>): Errors {
  if (name === '') return [required(path)];
  if (taken.has(name)) return [duplicate(path, name)];
  taken.add(name);
  return labelErrors(path, name);
}

function sourceErrors(path: string, claim: JsonObject): Errors {
  const { [BY_NAME]: name, [BY_TEMPLATE]: template } = claim;
  // Kubernetes shows the claim as its own code has it.
  const shown = {
    Name: textAt(claim, 'name'),
    ResourceClaimName: name ?? null,
    ResourceClaimTemplateName: template ?? null,
  };
  const none = `must specify one of: \`${BY_NAME}\`, \`${BY_TEMPLATE}\``;
  const both = `at most one of \`${BY_NAME}\` or \`${BY_TEMPLATE}\` may be specified`;
  const sources = [name, template].filter(source => source !== undefined).length;
  return [
    ...(sources === 1 ? NONE : [invalid(path, shown, sources === 0 ? none : both)]),
    ...(typeof name === 'string' ? subdomainErrors(`${path}.${BY_NAME}`, name) : NONE),
    ...(typeof template === 'string' ? subdomainErrors(`${path}.${BY_TEMPLATE}`, template) : NONE),
  ];
}

/** What a container uses of the claims of its Pod. */
export function claimUseErrors(path: string, resources: JsonObject, claims: ReadonlySet<string>): Errors {
  const used = new Set<string>();
  return objectsAt(resources, 'claims').flatMap((claim, index) => {
    const [at, name] = [`${path}[${index}]`, textAt(claim, 'name')];
    if (name === '') return [required(at)];
    return [...useErrors(at, name, textAt(claim, 'request'), used), ...unknownErrors(at, name, claims)];
  });
}

/** One request of a claim, or all of them: not both, and nothing twice. */
function useErrors(path: string, name: string, request: string, used: Set<string>): Errors {
  if (used.has(name)) return [duplicate(path, name)];
  const key = request === '' ? name : `${name}/${request}`;
  const errors: FieldError[] = request === '' ? [] : [...labelErrors(`${path}.request`, request)];
  const overlaps = [...used].filter(other => request === '' && other.startsWith(`${name}/`));
  if (used.has(key)) errors.push(duplicate(path, key));
  else errors.push(...overlaps.map(() => duplicate(path, name)));
  used.add(key);
  return errors;
}

function unknownErrors(path: string, name: string, claims: ReadonlySet<string>): Errors {
  if (claims.has(name)) return NONE;
  const known = claims.size === 0 ? ' which is empty' : `: ${[...claims].sort().join(', ')}`;
  return [notFound(path, name, `must be one of the names in pod.spec.resourceClaims${known}`)];
}
