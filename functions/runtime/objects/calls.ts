import { findRefusal, type RefusalData } from "../../../shared/kernel/index.ts";

/** A value or a refusal as plain data, because an Error would lose its class in an RPC call. */
export type Outcome<T> =
  | Readonly<{ ok: true; value: T }>
  | Readonly<{ ok: false; refusal: RefusalData }>;

/** A Durable Object's response, with the round trips that its work took. */
export type Reply<T> = Readonly<{
  outcome: Outcome<T>;
  /**
   * Whether the outcome is the stored response of an earlier request with the same Idempotency-Key.
   */
  isReplay: boolean;
  /** Round trips to D1. */
  d1: number;
  /** Calls of other Durable Objects for which the caller had to wait. */
  do?: number;
}>;

/** Runs work and returns its value or its refusal. Any other error is a bug and is thrown again. */
export async function captureOutcome<T>(work: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    const refusal = findRefusal(error);
    if (refusal === null) throw error;
    return { ok: false, refusal: refusal.toData() };
  }
}

export type SerialQueue = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Runs tasks one after the other. Otherwise one task could change data on which another task relies
 * while it waits for a database: a Durable Object accepts other calls during an await.
 */
export function createSerialQueue(): SerialQueue {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const run = last.then(work, work);
    // The caller of a failed task gets the error. The next task runs anyway.
    last = run.catch(() => undefined);
    return run;
  };
}
