// Who asks: a client certificate, a bearer token, or nobody in particular.

import type { Identity } from '../../kube/transport.ts';
import type { Authenticator, ClientCertificate } from '../parts.ts';
import { type TokenCheck, tokenChecker } from './check-token.ts';
import type { TokenWorld } from './token-world.ts';

/** A token that is known from the start, such as the administrator's. */
export interface StaticToken {
  readonly token: string;
  readonly user: string;
  readonly uid?: string;
  readonly groups: readonly string[];
}

export interface AuthenticationOptions {
  readonly tokens: TokenWorld;
  /** Few, and looked at anew for each request: whoever holds the list may add to it. */
  readonly staticTokens: readonly StaticToken[];
}

/** Judges a token for the audiences that somebody wants it for. */
export type TokenReader = (token: string, audiences: readonly string[]) => TokenCheck;

/** Static tokens hold for every audience of this API, service account tokens for those that they name. */
export function tokenReader({ tokens, staticTokens }: AuthenticationOptions): TokenReader {
  const check = tokenChecker(tokens);
  return (token, audiences) => {
    const entry = staticTokens.find(({ token: known }) => known === token);
    const answer: TokenCheck =
      entry === undefined
        ? check(token)
        : { kind: 'believed', identity: staticIdentity(entry), audiences: tokens.audiences };
    if (answer.kind !== 'believed') return answer;

    const shared = audiences.filter(audience => answer.audiences.includes(audience));
    if (shared.length > 0) return { ...answer, audiences: shared };
    const why = `token audiences ${goList(answer.audiences)} is invalid for the target audiences ${goList(audiences)}`;
    return { kind: 'refused', why };
  };
}

/** As Go prints a list of strings. */
const goList = (texts: readonly string[]): string => `[${texts.map(text => JSON.stringify(text)).join(' ')}]`;

/**
 * A certificate counts before a token. Without any credentials the caller is `system:anonymous`, whom RBAC lets see
 * health, version and little else; a token that nobody knows is undefined: 401.
 */
export function authenticator(options: AuthenticationOptions, read: TokenReader): Authenticator {
  return {
    authenticate(headers, clientCertificate) {
      return Promise.resolve(identify(options, read, { headers, clientCertificate }));
    },
  };
}

interface Credentials {
  readonly headers: Readonly<Record<string, string>>;
  readonly clientCertificate: ClientCertificate | undefined;
}

function identify(options: AuthenticationOptions, read: TokenReader, credentials: Credentials): Identity | undefined {
  const { headers, clientCertificate } = credentials;
  if (clientCertificate !== undefined && clientCertificate.commonName !== '') return ofCertificate(clientCertificate);

  const token = bearerToken(headers);
  if (token === undefined) return ANONYMOUS;
  const answer = read(token, options.tokens.audiences);
  return answer.kind === 'believed' ? answer.identity : undefined;
}

const ANONYMOUS: Identity = { name: 'system:anonymous', groups: ['system:unauthenticated'] };

/** The scheme is matched without case; another scheme is no credential at all. */
function bearerToken(headers: Readonly<Record<string, string>>): string | undefined {
  const match = /^bearer +(\S+) *$/i.exec(headers.authorization ?? '');
  return match?.[1];
}

function ofCertificate({ commonName, organizations }: ClientCertificate): Identity {
  return { name: commonName, groups: withAuthenticated(organizations) };
}

function staticIdentity({ user, uid, groups }: StaticToken): Identity {
  return { name: user, ...(uid === undefined ? {} : { uid }), groups: withAuthenticated(groups) };
}

const withAuthenticated = (groups: readonly string[]): readonly string[] =>
  groups.includes('system:authenticated') ? groups : [...groups, 'system:authenticated'];
