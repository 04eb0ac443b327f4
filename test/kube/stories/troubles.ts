// What goes wrong in the story, and for whom: one request to the API, one host's step, one server's reinstallation.

import { Unavailable } from '../../../src/kube/errors.ts';
import type { ApiRequest, ApiResponse, Transport } from '../../../src/kube/transport.ts';
import { cloudRefused, type MacCloud } from '../../../src/mac/cloud.ts';
import type { HostShell } from '../../../src/mac/host-shell.ts';

export type ApiFault = 403 | 409 | 500 | 'time-out';

/** What becomes of requests of the manager that look like this. */
interface Meeting {
  readonly where: (request: ApiRequest) => boolean;
  readonly meet: (request: ApiRequest, carry: Transport) => Promise<ApiResponse>;
}

/** Goes on until it is lifted. */
export interface Standing {
  /** Requests that met it. */
  met(): number;
  lift(): void;
}

export class Troubles {
  /** Ids of servers that the cloud does not reinstall. */
  readonly unwipable = new Set<string>();
  /** `address step`: steps of a set-up that fail on that host. */
  readonly failing = new Set<string>();
  readonly #meetings = new Set<Meeting>();

  /** From now on such requests end in this fault. */
  refuse(where: Meeting['where'], fault: ApiFault): Standing {
    let met = 0;
    const meeting: Meeting = {
      where,
      meet: request => {
        met += 1;
        return refused(request, fault);
      },
    };
    this.#meetings.add(meeting);
    return { met: () => met, lift: () => this.#meetings.delete(meeting) };
  }

  /** The next such request is carried out, and its answer held until `act` is done; resolves then. */
  afterNext(where: Meeting['where'], act: () => Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      const meeting: Meeting = {
        where,
        meet: async (request, carry) => {
          this.#meetings.delete(meeting);
          const answer = await carry(request);
          await act().then(resolve, reject);
          return answer;
        },
      };
      this.#meetings.add(meeting);
    });
  }

  transport(inner: Transport): Transport {
    return request => {
      const meeting = [...this.#meetings].find(({ where }) => where(request));
      return meeting === undefined ? inner(request) : meeting.meet(request, inner);
    };
  }

  cloud(inner: MacCloud): MacCloud {
    return {
      ...inner,
      reinstall: async (ref, image) => {
        if (this.unwipable.has(ref.id)) throw cloudRefused(`Reinstalling server ${ref.id}`, 'permissions_denied');
        await inner.reinstall(ref, image);
      },
    };
  }

  shell(inner: HostShell): HostShell {
    return {
      open: async login => {
        const opened = await inner.open(login);
        if (opened.kind !== 'open') return opened;
        const { session } = opened;
        return {
          ...opened,
          session: {
            close: () => session.close(),
            run: async step =>
              this.failing.has(`${login.address} ${step.name}`)
                ? { exitCode: 1, stdout: '', stderr: `step ${step.name} is to fail` }
                : session.run(step),
          },
        };
      },
    };
  }
}

const REASONS = { 403: 'Forbidden', 409: 'Conflict', 500: 'InternalError' } as const;

function refused(request: ApiRequest, fault: ApiFault): Promise<ApiResponse> {
  if (fault === 'time-out') return unanswered(request);
  const status = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: `${fault} by the story`,
    reason: REASONS[fault],
    details: {},
    code: fault,
  };
  const body = new TextEncoder().encode(JSON.stringify(status));
  return Promise.resolve({ status: fault, headers: { 'content-type': 'application/json' }, body });
}

/** Not carried out, and nothing comes back: the caller's own deadline ends it. */
function unanswered({ method, path, signal }: ApiRequest): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(new Unavailable(`${method} ${path}`, 'no answer')), { once: true });
  });
}
