import { Refusal, unavailable } from "../../shared/kernel/index.ts";
import type { Reply } from "../runtime/objects/reply.ts";
import type { RequestContext } from "./api-env.ts";

/** Awaits an object's reply, counts its round trips, marks a replay, and throws its refusal. */
export async function callObject<T>(c: RequestContext, asked: Promise<Reply<T>>): Promise<T> {
  return unwrapReply(c, await countObjectCall(c, asked));
}

/** Unwraps a reply whose call was counted already. */
export function unwrapReply<T>(
  c: RequestContext,
  { outcome, isReplay, d1, do: objects = 0 }: Reply<T>,
): T {
  const meter = c.get("meter");
  meter.d1 += d1;
  meter.do += objects;
  if (isReplay) c.header("Idempotency-Replayed", "true");
  if (!outcome.ok) throw new Refusal(outcome.refusal);
  return outcome.value;
}

/**
 * Counts a call of an object that returns plain data. An object that is unreachable or was reset
 * during the call becomes a retryable 503, as a failing database does.
 */
export function countObjectCall<T>(c: RequestContext, asked: Promise<T>): Promise<T> {
  c.get("meter").do += 1;
  return asked.catch(throwOutageAsRefusal);
}

function throwOutageAsRefusal(error: unknown): never {
  if (isOutage(error)) throw unavailable("The storage did not answer; try again.");
  throw error;
}

/** Whether the platform threw the error, and not the object's own code. */
const isOutage = (error: unknown): boolean => {
  const { remote, retryable, overloaded, durableObjectReset } = Object(error);
  return remote !== true && [retryable, overloaded, durableObjectReset].includes(true);
};
