// What can go wrong with a call to the simulated Scaleway, and for how many calls it does.

/** The calls that the Mac provider makes, by the names under which faults and records know them. */
export type CallName =
  | 'getServer'
  | 'listServers'
  | 'updateServer'
  | 'reinstallServer'
  | 'rebootServer'
  | 'listOS'
  | 'listSSHKeys'
  | 'createSSHKey'
  | 'deleteSSHKey';

/** A refusal by status; no answer; a broken connection; or a call that is carried out and whose answer is lost. */
export type Fault = 401 | 403 | 404 | 409 | 429 | 500 | 'timeout' | 'reset' | 'answer lost';

export interface Call {
  readonly name: CallName;
  /** The server's or key's id; the zone for lists. */
  readonly subject: string;
  /** What a write was to set: the new name, the image id. */
  readonly argument: string;
  readonly atMs: number;
}

interface Rule {
  readonly name: CallName | 'any';
  readonly fault: Fault;
  left: number;
}

/** Faults in the order in which they were asked for. */
export class Faults {
  #rules: Rule[] = [];

  /** From now on the next `times` calls of that name (or any) end in `fault`. */
  next(name: CallName | 'any', fault: Fault, times = 1): void {
    this.#rules.push({ name, fault, left: times });
  }

  clear(): void {
    this.#rules = [];
  }

  /** The fault for this call, used up. */
  take(name: CallName): Fault | undefined {
    const rule = this.#rules.find(each => (each.name === 'any' || each.name === name) && each.left > 0);
    if (rule === undefined) return undefined;
    rule.left -= 1;
    return rule.fault;
  }
}

/** How the model refuses; the faces turn it into JSON or into the port's errors. */
export class Refusal extends Error {
  readonly status: number;
  readonly type: string;
  readonly resource: string;
  readonly resourceId: string;
  readonly currentState: string;

  constructor(
    status: number,
    type: string,
    about: { readonly resource?: string; readonly resourceId?: string; readonly currentState?: string } = {},
  ) {
    super(`${status} ${type}`);
    this.status = status;
    this.type = type;
    this.resource = about.resource ?? '';
    this.resourceId = about.resourceId ?? '';
    this.currentState = about.currentState ?? '';
  }
}

/** The model's way to say that no answer comes back. */
export class NoAnswer extends Error {
  readonly how: 'timeout' | 'reset';

  constructor(how: 'timeout' | 'reset') {
    super(`no answer: ${how}`);
    this.how = how;
  }
}

/** What the caller of a faulty call gets. */
export function failureOf(fault: Exclude<Fault, 'answer lost'>, subject: string): Error {
  switch (fault) {
    case 'timeout':
    case 'reset':
      return new NoAnswer(fault);
    case 401:
      return new Refusal(401, 'denied_authentication');
    case 403:
      return new Refusal(403, 'permissions_denied');
    case 404:
      return new Refusal(404, 'not_found', { resource: 'server', resourceId: subject });
    case 409:
      return new Refusal(409, 'transient_state', { resource: 'server', resourceId: subject, currentState: 'busy' });
    case 429:
      return new Refusal(429, 'too_many_requests');
    case 500:
      return new Refusal(500, 'internal_error');
  }
}
