// Issues service account tokens: bound ones that expire, and the old kind that lives as long as its Secret.

import { kubeTime, seconds } from '../../base/clock.ts';
import { badRequest, conflict, invalid } from '../answer/status.ts';
import type { FieldError, JsonObject } from '../parts.ts';
import type { TokenIssuer } from '../token-parts.ts';
import { objectAt, textAt, textsAt, valueAt } from './fields.ts';
import { signJwt } from './jwt.ts';
import { quoted } from './refusal.ts';
import { accountUserName } from './service-account-name.ts';
import type { TokenWorld } from './token-world.ts';

const DEFAULT_LIFETIME_SECONDS = 3600;
const SHORTEST_LIFETIME_SECONDS = 600;
const LONGEST_LIFETIME_SECONDS = 2 ** 32;
const GROUP = 'authentication.k8s.io';

type Request = Parameters<TokenIssuer['issue']>[0];
type Issued = Exclude<Awaited<ReturnType<TokenIssuer['issue']>>, { readonly refused: unknown }>;

/** What `serviceaccounts/token` answers. */
export function tokenIssuer(world: TokenWorld): TokenIssuer {
  return {
    issue(request) {
      const refused = refusalOf(request);
      return Promise.resolve(refused === undefined ? issueBound(world, request) : { refused });
    },
  };
}

function issueBound(world: TokenWorld, request: Request): Issued {
  const { serviceAccount, spec } = request;
  const asked = textsAt(spec, 'audiences');
  const audiences = [...(asked.length === 0 ? world.audiences : asked)];
  const nowMs = world.clock.now();
  const nowSeconds = Math.floor(nowMs / 1000);
  const lifetime = lifetimeOf(spec);
  const claims = {
    aud: audiences,
    exp: nowSeconds + lifetime,
    iat: nowSeconds,
    iss: world.issuer,
    jti: world.random.uuid(),
    'kubernetes.io': {
      namespace: textAt(serviceAccount, 'metadata', 'namespace'),
      ...boundTo(world, request),
      serviceaccount: refOf(serviceAccount),
    },
    nbf: nowSeconds,
    sub: accountUserName(placeOf(serviceAccount)),
  };
  const token = signJwt(world.signatures, world.key, claims);
  const expirationTimestamp = kubeTime(nowMs + seconds(lifetime));
  return { token, expirationTimestamp, spec: { ...spec, audiences, expirationSeconds: lifetime } };
}

/** A token of a Pod also says on which Node that Pod is, as far as the Node is known. */
function boundTo(world: TokenWorld, { spec, bound }: Request): JsonObject {
  if (bound === undefined) return {};
  const kind = textAt(spec, 'boundObjectRef', 'kind').toLowerCase();
  const nodeName = kind === 'pod' ? textAt(bound, 'spec', 'nodeName') : '';
  if (nodeName === '') return { [kind]: refOf(bound) };
  const node = world.stored.get('nodes', '', nodeName);
  return { node: node === undefined ? { name: nodeName } : refOf(node), [kind]: refOf(bound) };
}

function refusalOf(request: Request): ReturnType<typeof badRequest>['status'] | undefined {
  const { name } = placeOf(request.serviceAccount);
  const errors = lifetimeErrors(lifetimeOf(request.spec));
  if (errors.length > 0) return invalid({ group: GROUP, resource: 'TokenRequest', name: '' }, errors).status;
  const ref = objectAt(request.spec, 'boundObjectRef');
  return ref === undefined ? undefined : refusalOfBinding(ref, request.bound, name);
}

const BINDABLE = ['Pod', 'Node', 'Secret'];

function refusalOfBinding(
  ref: JsonObject,
  bound: JsonObject | undefined,
  accountName: string,
): ReturnType<typeof badRequest>['status'] | undefined {
  const kind = textAt(ref, 'kind');
  const apiVersion = textAt(ref, 'apiVersion');
  if (bound === undefined || !BINDABLE.includes(kind) || apiVersion.includes('/')) {
    return badRequest(`cannot bind token to object of type ${groupVersionKind(apiVersion, kind)}`).status;
  }
  if (kind === 'Pod' && textAt(bound, 'spec', 'serviceAccountName') !== accountName) {
    const why = `cannot bind token for serviceaccount ${quoted(accountName)} to pod running with different serviceaccount name.`;
    return badRequest(why).status;
  }
  const uid = textAt(ref, 'uid');
  if (uid === '' || uid === textAt(bound, 'metadata', 'uid')) return undefined;
  const why = `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`;
  return conflict({ group: '', resource: kind, name: textAt(ref, 'name') }, why).status;
}

function groupVersionKind(apiVersion: string, kind: string): string {
  const slash = apiVersion.indexOf('/');
  return `${slash < 0 ? '' : apiVersion.slice(0, slash)}/${apiVersion.slice(slash + 1)}, Kind=${kind}`;
}

function lifetimeOf(spec: JsonObject): number {
  const asked = valueAt(spec, 'expirationSeconds');
  return typeof asked === 'number' ? asked : DEFAULT_LIFETIME_SECONDS;
}

function lifetimeErrors(lifetime: number): readonly FieldError[] {
  const problem = (why: string): readonly FieldError[] => [
    { type: 'Invalid', field: 'spec.expirationSeconds', message: `Invalid value: ${lifetime}: ${why}` },
  ];
  if (lifetime < SHORTEST_LIFETIME_SECONDS) return problem('may not specify a duration less than 10 minutes');
  if (lifetime > LONGEST_LIFETIME_SECONDS) return problem('may not specify a duration larger than 2^32 seconds');
  return [];
}

const placeOf = (object: JsonObject): { readonly namespace: string; readonly name: string } => ({
  namespace: textAt(object, 'metadata', 'namespace'),
  name: textAt(object, 'metadata', 'name'),
});

const refOf = (object: JsonObject): JsonObject => ({
  name: textAt(object, 'metadata', 'name'),
  uid: textAt(object, 'metadata', 'uid'),
});

/** Whose token a Secret of type `kubernetes.io/service-account-token` is to hold. */
export interface SecretTokenSubject {
  readonly namespace: string;
  readonly account: { readonly name: string; readonly uid: string };
  readonly secret: { readonly name: string };
}

/** A token that does not expire: it holds as long as its Secret holds it. */
export function mintSecretToken(world: TokenWorld, { namespace, account, secret }: SecretTokenSubject): string {
  const prefix = 'kubernetes.io/serviceaccount';
  return signJwt(world.signatures, world.key, {
    iss: prefix.replace('kubernetes.io', 'kubernetes'),
    [`${prefix}/namespace`]: namespace,
    [`${prefix}/secret.name`]: secret.name,
    [`${prefix}/service-account.name`]: account.name,
    [`${prefix}/service-account.uid`]: account.uid,
    sub: accountUserName({ namespace, name: account.name }),
  });
}
