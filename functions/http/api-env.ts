import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { ApiKey, Business } from "../../shared/businesses/index.ts";
import type { BatchGuard, IdempotencyMark } from "../../shared/database/index.ts";
import type { Meter, Refusal } from "../../shared/kernel/index.ts";
import type { ActiveLinkSession } from "../../shared/link/index.ts";
import type { ApiBindings } from "../runtime/bindings.ts";
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
