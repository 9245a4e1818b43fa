import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { ApiKey, Business, ShopContext } from "../../shared/businesses/index.ts";
import {
  type BatchGuard,
  type IdempotencyMark,
  openDb,
  shardsOf,
  shopOf,
} from "../../shared/database/index.ts";
import { type Actor, type Meter, Refusal, unavailable } from "../../shared/kernel/index.ts";
import type { ActiveLinkSession } from "../../shared/link/index.ts";
import type { ApiBindings } from "../runtime/bindings.ts";
import type { Reply } from "../runtime/objects/calls.ts";
import { createOutboxWaker } from "../runtime/outbox-wakeup.ts";
import { runtime } from "../runtime/runtime.ts";
import type { Settings } from "../runtime/settings.ts";
import type { RateState } from "./rate-limits/lease-holder.ts";

/**
 * The sender of the request: an API key with the business it serves, or an unauthenticated caller
 * with the reason.
 */
export type Caller =
  | Readonly<{ type: "unauthenticated"; refusal: Refusal }>
  | Readonly<{ type: "keyed"; key: ApiKey; business: Business }>;

export type RequestVariables = {
  requestId: string;
  meter: Meter;
  /**
   * A statement that must succeed at the head of the first batch on the business's shard; null for
   * none.
   */
  batchGuard: BatchGuard | null;
  /** Marks the call's writes as carried out under its Idempotency-Key; null for none. */
  idempotencyMark: (IdempotencyMark & Readonly<{ in: "shop" | "core" }>) | null;
  settings: Settings;
  caller: Caller;
  /** The Link session of the request's token, once the route has read it. */
  linkSession: ActiveLinkSession | null;
  rate: RateState | null;
  /** The deployment's limit per address; null where the business's settings decide. */
  addressPerSecond: number | null;
};

export type ApiEnv<B extends ApiBindings = ApiBindings> = {
  Bindings: B;
  Variables: RequestVariables;
};

/** The app of an API or of one of its sections. */
export type ApiApp<B extends ApiBindings = ApiBindings> = OpenAPIHono<ApiEnv<B>>;

/** The part of Hono's context that API code uses, independent of a Worker's other bindings. */
export type RequestContext<B extends ApiBindings = ApiBindings> = Pick<
  Context<ApiEnv<B>>,
  "body" | "env" | "error" | "executionCtx" | "get" | "header" | "json" | "req" | "res"
>;

/** The API key and its business. @throws Refusal UNAUTHORIZED or FORBIDDEN without a valid key. */
export function requireKey(c: RequestContext): Readonly<{ key: ApiKey; business: Business }> {
  const caller = c.get("caller");
  if (caller.type === "unauthenticated") throw caller.refusal;
  return caller;
}

/** The mark for the call's writes in that database; null where none is needed. */
export function idempotencyMarkFor(
  c: RequestContext,
  place: "shop" | "core",
): IdempotencyMark | null {
  const seal = c.get("idempotencyMark");
  return seal?.in === place ? seal : null;
}

/** Creates the use cases' context for the caller's business. */
export const createContext = (c: RequestContext, actor: Actor): ShopContext =>
  createContextFor(c, { business: requireKey(c).business, actor });

/** As `createContext`, for a call whose credential does not name the business. */
export function createContextFor(
  c: RequestContext,
  { business, actor }: { business: Business; actor: Actor },
): ShopContext {
  const meter = c.get("meter");
  const requestId = c.get("requestId");
  const settings = c.get("settings");
  return {
    ...runtime,
    requestId,
    business,
    actor,
    meter,
    db: openDb(
      shopOf(shardsOf(c.env, settings.shopShards), business),
      meter,
      c.get("batchGuard"),
      idempotencyMarkFor(c, "shop"),
    ),
    wakeOutboxWorker: createOutboxWaker(c.env.EVENTS, business, (work) =>
      c.executionCtx.waitUntil(work),
    ),
  };
}

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
