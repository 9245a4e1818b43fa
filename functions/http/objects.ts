import { Refusal } from "../../shared/kernel/index.ts";
import type { Reply } from "../objects/reply.ts";
import type { RequestContext } from "./surface-env.ts";

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

/** Counts a call of an object that answers with plain data. */
export function counted<T>(c: RequestContext, asked: Promise<T>): Promise<T> {
  c.get("meter").do += 1;
  return asked;
}
