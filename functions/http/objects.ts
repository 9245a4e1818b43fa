import { Refusal } from "../../shared/kernel/index.ts";
import type { Reply } from "../objects/reply.ts";
import type { RequestContext } from "./surface-env.ts";

/** Takes an object's reply: counts what it cost, tells a replay, throws its refusal. */
export async function replied<T>(c: RequestContext, asked: Promise<Reply<T>>): Promise<T> {
  const { outcome, isReplay, d1 } = await counted(c, asked);
  c.get("meter").d1 += d1;
  if (isReplay) c.header("Idempotency-Replayed", "true");
  if (!outcome.ok) throw new Refusal(outcome.refusal);
  return outcome.value;
}

/** Counts a call of an object that answers with plain data. */
export function counted<T>(c: RequestContext, asked: Promise<T>): Promise<T> {
  c.get("meter").do += 1;
  return asked;
}
