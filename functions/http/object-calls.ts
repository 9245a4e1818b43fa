import { Refusal, unavailable } from "../../shared/kernel/index.ts";
import type { Reply } from "../runtime/objects/reply.ts";
import type { RequestContext } from "./api-env.ts";

/** Takes an object's reply: counts what it cost, tells a replay, throws its refusal. */
export async function replied<T>(c: RequestContext, asked: Promise<Reply<T>>): Promise<T> {
  return settled(c, await counted(c, asked));
}

/** As `replied`, for a reply whose call was counted. */
export function settled<T>(
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
 * Counts a call of an object that answers with plain data. An object that could not be reached, or was
 * reset while it was asked, reads as 503 (retryable) instead of as a bug, as a database does.
 */
export function counted<T>(c: RequestContext, asked: Promise<T>): Promise<T> {
  c.get("meter").do += 1;
  return asked.catch(outageAsRefusal);
}

function outageAsRefusal(error: unknown): never {
  if (isOutage(error)) throw unavailable("The storage did not answer; try again.");
  throw error;
}

/** What the platform threw, and not the object's own code (platform-facts 1.4). */
const isOutage = (error: unknown): boolean => {
  const { remote, retryable, overloaded, durableObjectReset } = Object(error);
  return remote !== true && [retryable, overloaded, durableObjectReset].includes(true);
};
