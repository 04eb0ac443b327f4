// Where faults enter: every call of every process passes here, is numbered, and may be refused, lost or end in a crash.

import type { Schedule } from './schedule.ts';

export type Seam = 'api' | 'cloud' | 'ssh' | 'workload';

/** One call that leaves a process. */
export interface Call {
  readonly process: string;
  readonly seam: Seam;
  /** `PATCH /api/v1/…` or `reinstall mac-0`: enough to recognise it in a trace. */
  readonly label: string;
  readonly write: boolean;
}

/** What can go wrong with one call. `code`: refused with this status; `404` is told once although the thing is there. */
export type CallFault =
  | { readonly kind: 'crash before' }
  | { readonly kind: 'crash after' }
  | { readonly kind: 'answer lost' }
  | { readonly kind: 'time-out' }
  | { readonly kind: 'code'; readonly code: 403 | 404 | 409 | 500 };

export type EventFault = 'dropped' | 'doubled' | 'late';

/** Decides which call, or which watch event, gets which fault. Numbers count from 0 in the order of the run. */
export interface Plan {
  readonly onCall?: (call: Call, number: number) => CallFault | undefined;
  readonly onEvent?: (process: string, label: string, number: number) => EventFault | undefined;
  /** How long a call takes, in milliseconds of virtual time; none unless told. */
  readonly takesMs?: (call: Call) => number;
}

/** How a seam expresses a refusal or a lost answer in its own words. */
export interface Refusals<R> {
  refused(code: number): R | Promise<R>;
  unanswered(why: string): R | Promise<R>;
}

const faultText = (fault: CallFault): string => (fault.kind === 'code' ? String(fault.code) : fault.kind);

/** A crashed process never hears of anything again. */
const never = <R>(): Promise<R> => new Promise<R>(() => undefined);

export class FaultLine {
  /** All calls so far, in order. */
  readonly calls: Call[] = [];
  /** All watch events so far, in order. */
  readonly events: string[] = [];
  /** What was done to them. */
  readonly injected: string[] = [];
  readonly #schedule: Schedule;
  readonly #crash: (process: string) => void;
  readonly #lives = new Map<string, number>();
  #plan: Plan = {};

  constructor(schedule: Schedule, crash: (process: string) => void) {
    this.#schedule = schedule;
    this.#crash = crash;
  }

  follow(plan: Plan): void {
    this.#plan = plan;
  }

  /** A new life of a process begins: calls of its earlier lives are answered no more. Answers the life's number. */
  begin(process: string): number {
    const life = (this.#lives.get(process) ?? 0) + 1;
    this.#lives.set(process, life);
    return life;
  }

  /** Carries one call out, or does to it what the plan says. */
  async through<R>(call: Call, life: number, perform: () => Promise<R>, refusals: Refusals<R>): Promise<R> {
    await this.#schedule.hold(`${call.process} ${call.seam} ${call.label}`);
    const takesMs = this.#plan.takesMs?.(call) ?? 0;
    if (takesMs > 0) await this.#schedule.sleep(takesMs);
    if (!this.isLiving(call.process, life)) return never();
    const number = this.calls.push(call) - 1;
    const fault = this.#plan.onCall?.(call, number);
    if (fault !== undefined) this.#inject(`${faultText(fault)} at ${call.process} ${call.seam} ${call.label}`);
    switch (fault?.kind) {
      case 'crash before':
        return this.#die(call.process);
      case 'code':
        return refusals.refused(fault.code);
      case 'time-out':
        return refusals.unanswered('timed out');
      default:
        return this.#perform(call, life, { perform, refusals, fault });
    }
  }

  async #perform<R>(
    call: Call,
    life: number,
    { perform, refusals, fault }: { perform: () => Promise<R>; refusals: Refusals<R>; fault: CallFault | undefined },
  ): Promise<R> {
    const answer = await perform();
    if (fault?.kind === 'crash after') return this.#die(call.process);
    if (fault?.kind === 'answer lost') return refusals.unanswered('the connection broke');
    return this.isLiving(call.process, life) ? answer : never();
  }

  /** Passes one watch event on: how many times it arrives, and after which delay. */
  async event(process: string, label: string): Promise<{ readonly times: number }> {
    const number = this.events.push(`${process} ${label}`) - 1;
    const fault = this.#plan.onEvent?.(process, label, number);
    if (fault !== undefined) this.#inject(`${fault}: ${process} ${label}`);
    await this.#schedule.hold(`${process} event ${label}`);
    if (fault === 'dropped') return { times: 0 };
    if (fault === 'late') await this.#schedule.hold(`${process} late event ${label}`);
    return { times: fault === 'doubled' ? 2 : 1 };
  }

  /** Whether this life of the process goes on. */
  isLiving(process: string, life: number): boolean {
    return this.#lives.get(process) === life;
  }

  #die<R>(process: string): Promise<R> {
    this.begin(process);
    this.#crash(process);
    return never();
  }

  #inject(what: string): void {
    this.injected.push(what);
    this.#schedule.note(`FAULT ${what}`);
  }
}
