import { findRefusal, type RefusalData } from "../../../shared/kernel/index.ts";

/** A value or a refusal, as data: an Error would lose its class across RPC. */
export type Outcome<T> =
  | Readonly<{ ok: true; value: T }>
  | Readonly<{ ok: false; refusal: RefusalData }>;

/** An object's response, and the round trips it took. */
export type Reply<T> = Readonly<{
  outcome: Outcome<T>;
  /** Whether it is the stored response of an earlier request with the same Idempotency-Key. */
  isReplay: boolean;
  /** Round trips to D1. */
  d1: number;
  /** Calls of other objects while the caller waited. */
  do?: number;
}>;

/** Runs work and returns its value or refusal. Other errors are bugs and are thrown on. */
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
 * Runs pieces of work one after the other, so that none changes what another decided on while that
 * waits for a database. The platform's input gates do not hold back calls during an await.
 */
export function createSerialQueue(): SerialQueue {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const run = last.then(work, work);
    last = run.catch(() => undefined); // its caller gets the error; the next piece of work runs anyway
    return run;
  };
}
