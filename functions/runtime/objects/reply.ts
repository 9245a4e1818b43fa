import { type RefusalData, refusalIn } from "../../../shared/kernel/index.ts";

/** What was done, or why not: an Error would lose its class on the way across RPC. */
export type Outcome<T> =
  | Readonly<{ ok: true; value: T }>
  | Readonly<{ ok: false; refusal: RefusalData }>;

/** An object's answer: the outcome, and what it cost. */
export type Reply<T> = Readonly<{
  outcome: Outcome<T>;
  /** The stored answer of an earlier request with the same Idempotency-Key. */
  isReplay: boolean;
  /** Round trips that the object made to D1. */
  d1: number;
  /** Other objects that it asked while the caller waited. */
  do?: number;
}>;

/** A refusal becomes an outcome; anything else is a bug and goes on. */
export async function outcomeOf<T>(work: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    const refusal = refusalIn(error);
    if (refusal === null) throw error;
    return { ok: false, refusal: refusal.toData() };
  }
}
