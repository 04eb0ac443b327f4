// The `authorizer` of expressions: asks whether the user of the request, or a service account, may do something.

import type { Environment } from '@marcbachmann/cel-js';
import type { Identity } from '../../kube/transport.ts';
import type { Attributes, Verdict } from '../parts.ts';
import { isNull } from '../schema/cel/types.ts';

type Ask = (attributes: Attributes) => Verdict;

const NOTHING = {
  group: '',
  version: '*',
  resource: '',
  subresource: '',
  namespace: '',
  name: '',
  path: '',
  fieldSelector: '',
  labelSelector: '',
};

/** Who is asked about. */
export class Authorizer {
  readonly ask: Ask;
  readonly identity: Identity;
  /** What the request itself is about, to be asked about by other verbs. */
  readonly requestResource: ResourceCheck | undefined;

  constructor(ask: Ask, identity: Identity, request?: Attributes) {
    this.ask = ask;
    this.identity = identity;
    this.requestResource = request === undefined ? undefined : new ResourceCheck(this, request);
  }
}

/** What is asked about, as far as it is said. */
class Question {
  readonly authorizer: Authorizer;
  readonly attributes: Omit<Attributes, 'identity' | 'verb'>;

  constructor(authorizer: Authorizer, attributes: Omit<Attributes, 'identity' | 'verb'>) {
    this.authorizer = authorizer;
    this.attributes = attributes;
  }
}
class PathCheck extends Question {}
class GroupCheck extends Question {}
class ResourceCheck extends Question {}

class Decision {
  readonly verdict: Verdict;

  constructor(verdict: Verdict) {
    this.verdict = verdict;
  }
}

const SYNC = { async: false } as const;

export function registerAuthorizer(environment: Environment): void {
  const types = { ResourceCheck, Authorizer, PathCheck, GroupCheck, Decision };
  for (const [name, ctor] of Object.entries(types)) {
    const fields = name === 'Authorizer' ? { requestResource: 'kubernetes.authorization.ResourceCheck' } : {};
    environment.registerType(`kubernetes.authorization.${name}`, { ctor, fields });
    const type = `kubernetes.authorization.${name}`;
    environment.registerOperator(`${type} == ${type}: bool`, isNull);
    environment.registerOperator(`${type} == null: bool`, isNull);
  }
  const register = (signature: string, handler: (...args: never[]) => unknown): void => {
    environment.registerFunction(signature.replaceAll('@', 'kubernetes.authorization.'), handler, SYNC);
  };
  register('@Authorizer.path(string): @PathCheck', (who: Authorizer, path: string) => {
    return new PathCheck(who, { ...NOTHING, version: '', path });
  });
  register('@Authorizer.group(string): @GroupCheck', (who: Authorizer, group: string) => {
    return new GroupCheck(who, { ...NOTHING, group });
  });
  register('@Authorizer.serviceAccount(string, string): @Authorizer', serviceAccount);
  register(
    '@GroupCheck.resource(string): @ResourceCheck',
    ({ authorizer, attributes }: GroupCheck, resource: string) => {
      return new ResourceCheck(authorizer, { ...attributes, resource });
    },
  );
  for (const part of ['subresource', 'namespace', 'name', 'fieldSelector', 'labelSelector'] as const) {
    register(`@ResourceCheck.${part}(string): @ResourceCheck`, (question: ResourceCheck, value: string) => {
      return new ResourceCheck(question.authorizer, { ...question.attributes, [part]: value });
    });
  }
  register('@PathCheck.check(string): @Decision', decided);
  register('@ResourceCheck.check(string): @Decision', decided);
  register('@Decision.allowed(): bool', ({ verdict }: Decision) => verdict.allowed);
  register('@Decision.reason(): string', ({ verdict }: Decision) => verdict.reason ?? '');
  register('@Decision.errored(): bool', () => false);
  register('@Decision.error(): string', () => '');
}

function serviceAccount({ ask }: Authorizer, namespace: string, name: string): Authorizer {
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'];
  return new Authorizer(ask, { name: `system:serviceaccount:${namespace}:${name}`, groups });
}

const decided = ({ authorizer, attributes }: Question, verb: string): Decision =>
  new Decision(authorizer.ask({ ...attributes, verb, identity: authorizer.identity }));
