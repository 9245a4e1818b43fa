import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { ApiKey, Business } from "../../shared/businesses/index.ts";
import type { Gate, Seal } from "../../shared/database/index.ts";
import type { Meter, Refusal } from "../../shared/kernel/index.ts";
import type { OpenSession } from "../../shared/link/index.ts";
import type { Settings } from "../runtime/settings.ts";
import type { RateState } from "./rate-limits/lease-holder.ts";
import type { LimiterBinding } from "./rate-limits/object-counters.ts";

/** "This business has events waiting": a nudge for the background Worker, never the event itself. */
export type Announcement = Readonly<{ businessId: string; shard: string }>;

/** What every HTTP surface is bound to; a Worker may have more. */
export type SurfaceBindings = Readonly<{
  CORE: D1Database;
  EVENTS: Queue<Announcement>;
  RATE_LIMITER: LimiterBinding;
}>;

/** Who sent the request: a key and the business it serves, or a stranger and why. */
export type Caller =
  | Readonly<{ type: "stranger"; refusal: Refusal }>
  | Readonly<{ type: "keyed"; key: ApiKey; business: Business }>;

export type SurfaceVariables = {
  requestId: string;
  meter: Meter;
  /** What the first batch of the business's shard has to pass; null for nothing. */
  gate: Gate | null;
  /** What the call's writes in that database are marked with; null for nothing. */
  seal: (Seal & Readonly<{ in: "shop" | "core" }>) | null;
  settings: Settings;
  caller: Caller;
  /** Of Link's calls: whose session token came along, once the call's row has asked for it. */
  linkSession: OpenSession | null;
  rate: RateState | null;
  /** The surface's own limit per address, whoever asks; null where the business's settings say. */
  addressPerSecond: number | null;
};

export type SurfaceEnv<B extends SurfaceBindings = SurfaceBindings> = {
  Bindings: B;
  Variables: SurfaceVariables;
};

/** A surface, or a part of one. */
export type SurfaceApp<B extends SurfaceBindings = SurfaceBindings> = OpenAPIHono<SurfaceEnv<B>>;

/** What a surface's code needs of Hono's context, whatever else its Worker is bound to. */
export type RequestContext<B extends SurfaceBindings = SurfaceBindings> = Pick<
  Context<SurfaceEnv<B>>,
  "body" | "env" | "error" | "executionCtx" | "get" | "header" | "json" | "req" | "res"
>;
