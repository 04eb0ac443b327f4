// Does many things with a fixed number of them going on at once, as the published runs did.

const IN_FLIGHT = 16;

/** `work(0)` to `work(count - 1)`, begun in this order. The first failure ends it. */
export async function inFlight(count: number, work: (n: number) => Promise<void>): Promise<void> {
  let next = 0;
  const hand = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, hand));
}
