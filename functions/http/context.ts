import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { ApiKey, Business, ShopContext } from "../../shared/businesses/index.ts";
import {
  type BatchGuard,
  fullDatabaseRefusal,
  type IdempotencyMark,
  type Meter,
  openDb,
  outageRefusal,
  shardsOf,
  shopOf,
} from "../../shared/database/index.ts";
import { type Actor, Refusal, unavailable } from "../../shared/kernel/index.ts";
import type { ActiveLinkSession } from "../../shared/link/index.ts";
import type { ConsoleSession } from "../../shared/members/index.ts";
import type { ApiBindings } from "../runtime/bindings.ts";
import type { Reply } from "../runtime/objects/calls.ts";
import { createOutboxWaker } from "../runtime/outbox-wakeup.ts";
import { runtime } from "../runtime/runtime.ts";
import type { Settings } from "../runtime/settings.ts";
import type { PublicAddress } from "../wire/fields.ts";
import { type Caller, callerId, type IdentifiedCaller } from "./authentication/caller.ts";
import type { RateState } from "./rate-limits/limit-state.ts";

export type RequestVariables = {
  requestId: string;
  /** When the request arrived, in epoch milliseconds. */
  receivedAt: number;
  meter: Meter;
  /**
   * A statement that runs first in the first batch on the business's shard. The batch fails without
   * it. Null when there is none.
   */
  batchGuard: BatchGuard | null;
  /**
   * Marks the request's writes as carried out under its Idempotency-Key. Null when none is needed.
   */
  idempotencyMark: (IdempotencyMark & Readonly<{ in: "shop" | "core" }>) | null;
  settings: Settings;
  caller: Caller;
  /** Whether the route has accepted the operator's token. */
  isOperator: boolean;
  /** The Link session of the request's token, once the route has read it. */
  linkSession: ActiveLinkSession | null;
  /** The login of the console's cookie, once it was read. Null for a call with a key or a token. */
  consoleSession: ConsoleSession | null;
  rate: RateState | null;
  /**
   * The deployment's rate limit per client address. Null when only the business's settings apply.
   */
  addressPerSecond: number | null;
  /** Whether the API refuses query parameters and body fields that it does not know. */
  unknownInput: "refused" | "ignored";
  /** The Warning header, which names ignored input; null for none. */
  warning: string | null;
  /** Reads the record of the call's path with the caller's credential, as GET responds with it. */
  readRecord: () => Promise<Response>;
};

export type ApiEnv<B extends ApiBindings = ApiBindings> = {
  Bindings: B;
  Variables: RequestVariables;
};

/** The app of an API, or of one section of an API. */
export type ApiApp<B extends ApiBindings = ApiBindings> = OpenAPIHono<ApiEnv<B>>;

/** The parts of Hono's context that the APIs use. Does not depend on the bindings of one Worker. */
export type RequestContext<B extends ApiBindings = ApiBindings> = Pick<
  Context<ApiEnv<B>>,
  "body" | "env" | "error" | "executionCtx" | "get" | "header" | "json" | "req" | "res"
>;

/** The API key and its business. @throws Refusal UNAUTHORIZED or FORBIDDEN without a valid key. */
export function requireKey(c: RequestContext): Readonly<{ key: ApiKey; business: Business }> {
  const caller = requireCaller(c);
  if (caller.type === "keyed") return caller;
  throw new Refusal({ code: "UNAUTHORIZED", message: "This call takes a key." });
}

/** The key or the member, and the business. @throws Refusal UNAUTHORIZED, FORBIDDEN or NOT_FOUND. */
export function requireCaller(c: Pick<RequestContext, "get">): IdentifiedCaller {
  const caller = c.get("caller");
  if (caller.type === "unauthenticated") throw caller.refusal;
  return caller;
}

/** The merchant as the actor of a use case. */
export const merchantActor = (c: Pick<RequestContext, "get">): Actor => ({
  type: "merchant",
  id: callerId(requireCaller(c)),
});

/** The mark for writes to this database. Null when the request needs no mark there. */
export function idempotencyMarkFor(
  c: RequestContext,
  database: "shop" | "core",
): IdempotencyMark | null {
  const mark = c.get("idempotencyMark");
  return mark?.in === database ? mark : null;
}

/** Creates the use cases' context for the caller's business. */
export const createContext = (c: RequestContext, actor: Actor): ShopContext =>
  createContextFor(c, { business: requireCaller(c).business, actor });

/** Like `createContext`, for a call whose credential does not identify the business. */
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

/**
 * Awaits a Durable Object's reply and returns its value. Counts the round trips, and sets the
 * header of a replayed response.
 *
 * @throws Refusal when the object refused the call.
 */
export async function callObject<T>(c: RequestContext, call: Promise<Reply<T>>): Promise<T> {
  return unwrapReply(c, await countObjectCall(c, call));
}

/** Like `callObject`, for a call that the meter has already counted. */
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
 * Counts a call of a Durable Object. If the object is unreachable, full or was reset during the call,
 * the caller gets a 503, as for a database that does not respond.
 */
export function countObjectCall<T>(c: RequestContext, call: Promise<T>): Promise<T> {
  c.get("meter").do += 1;
  return call.catch(throwOutageAsRefusal);
}

function throwOutageAsRefusal(error: unknown): never {
  if (isOutage(error)) throw unavailable("The storage did not answer; try again.");
  // What the object's own code threw may have any text; only a full storage has a text of its own.
  if (Object(error).remote === true) throw fullDatabaseRefusal(error, objectStorage) ?? error;
  throw outageRefusal(error, objectStorage);
}

const objectStorage = "storage of a Durable Object";

/** Whether the Cloudflare platform threw the error. Otherwise the object's own code did. */
const isOutage = (error: unknown): boolean => {
  const { remote, retryable, overloaded, durableObjectReset } = Object(error);
  return remote !== true && [retryable, overloaded, durableObjectReset].includes(true);
};

/** The address under which this request came in, and the deployment's own address of files. */
export function publicAddressOf(c: Pick<RequestContext, "get" | "req">): PublicAddress {
  const { origin } = new URL(c.req.url);
  return { origin, cdnUrl: c.get("settings").cdnUrl ?? `${origin}/cdn` };
}
