// What rules may cost: steps are counted while they run, and an expensive one is stopped.

/** Steps that one rule may take, and all rules of one object together; about as many as Kubernetes' own limits allow. */
export const STEPS_PER_RULE = 1_000_000;
export const STEPS_PER_OBJECT = 10_000_000;

/** Thrown inside of an expression. The library swallows errors under `||`, so `isOverspent` has the last word. */
class CostExceeded extends Error {
  constructor() {
    super('operation cancelled: actual cost limit exceeded');
    this.name = 'CostExceeded';
  }
}

/** Counts the steps of one evaluation. */
export class Meter {
  private spent = 0;
  private readonly limit: number;

  constructor(limit: number) {
    this.limit = limit;
  }

  get steps(): number {
    return this.spent;
  }

  get isOverspent(): boolean {
    return this.spent > this.limit;
  }

  spend(steps: number): void {
    this.spent += steps;
    if (this.isOverspent) throw new CostExceeded();
  }
}

let running: Meter | undefined;

/** Evaluation is synchronous, so one meter runs at a time; those of nested ones are put back. */
export function metered<T>(meter: Meter, evaluate: () => T): T {
  const outer = running;
  running = meter;
  try {
    return evaluate();
  } finally {
    running = outer;
  }
}

/** Charges the evaluation that runs now. */
export const spend = (steps: number): void => running?.spend(steps);

/** What it costs to read a text or list of this size. */
export const spendOnSize = (size: number): void => spend(1 + Math.ceil(size / 10));
