import type { Context, MiddlewareHandler } from "hono";
import { Refusal, second } from "../../shared/kernel/index.ts";
import { refused } from "./errors.ts";
import type { RateState, SurfaceEnv } from "./surface-env.ts";

type Limit = Readonly<{ name: string; limit: number; windowMs: number }>;

type Held = { left: number; limit: number; taken: number; resetAt: number };

const held = new Map<string, Held>();
const maxHeld = 10_000;

/** Admits a request when every limit that covers it has room (interface.md, Limits; completions.md 15). */
export const rateLimit: MiddlewareHandler<SurfaceEnv> = async function rateLimit(c, next) {
  const states = await Promise.all(limitsOf(c).map((limit) => take(c, limit)));
  const state = states.reduce(nearer);
  c.set("rate", state);
  if (!state.isExceeded) return next();
  const waitMs = Math.max(state.resetAt - Date.now(), 1);
  c.header("Retry-After", String(Math.ceil(waitMs / second)));
  return refused(
    c,
    new Refusal({
      code: "RATE_LIMITED",
      message: "Too many requests; wait and try again.",
      context: { retry_after_ms: waitMs },
    }).toData(),
  );
};

export function writeRateHeaders(c: Context, { limit, remaining, resetAt }: RateState): void {
  c.header("X-RateLimit-Limit", String(limit));
  c.header("X-RateLimit-Remaining", String(remaining));
  c.header("X-RateLimit-Reset", String(Math.ceil(resetAt / second)));
}

function limitsOf(c: Context<SurfaceEnv>): [Limit, ...Limit[]] {
  const address = c.req.header("cf-connecting-ip") ?? "local";
  const { caller } = c.var;
  if (caller.type === "stranger") {
    return [{ name: `address:${address}`, limit: 100, windowMs: second }];
  }
  const { id, settings } = caller.business;
  if (caller.key.kind !== "publishable") {
    return [{ name: `key:${caller.key.id}`, limit: settings.rateLimits.secretPerSecond ?? 50, windowMs: second }];
  }
  return [
    {
      name: `address:${id}:${address}`,
      limit: settings.rateLimits.publicPerSecondPerAddress ?? 100,
      windowMs: second,
    },
    { name: `business:${id}`, limit: settings.rateLimits.publicPerMinute ?? 1_000, windowMs: 60 * second },
  ];
}

async function take(c: Context<SurfaceEnv>, { name, limit, windowMs }: Limit): Promise<RateState> {
  const now = Date.now();
  let mine = held.get(name);
  if (!mine || mine.resetAt <= now || mine.limit !== limit || isSpent(mine)) {
    mine = await leased(c, { name, limit, windowMs }, now);
  }
  if (mine.left === 0) return { limit, remaining: 0, resetAt: mine.resetAt, isExceeded: true };
  mine.left -= 1;
  return { limit, remaining: limit - mine.taken + mine.left, resetAt: mine.resetAt, isExceeded: false };
}

/** Used up here, while the window as a whole still has room. */
const isSpent = ({ left, taken, limit }: Held) => left === 0 && taken < limit;

async function leased(c: Context<SurfaceEnv>, { name, limit, windowMs }: Limit, now: number): Promise<Held> {
  c.var.meter.lease += 1;
  const wanted = Math.max(1, Math.min(50, Math.floor(limit / 5)));
  try {
    const { granted, taken, resetAt } = await c.env.RATE_LIMITER.getByName(name).lease({
      limit,
      windowMs,
      wanted,
      now,
    });
    return remember(name, { left: granted, limit, taken, resetAt });
  } catch (error) {
    // The shop stays open without its counters (completions.md 15).
    console.warn(JSON.stringify({ level: "warn", what: "rate limiter unreachable", error: String(error) }));
    return { left: 1, limit, taken: 1, resetAt: now + windowMs };
  }
}

function remember(name: string, lease: Held): Held {
  if (held.size >= maxHeld) held.clear();
  held.set(name, lease);
  return lease;
}

const nearer = (a: RateState, b: RateState): RateState => {
  if (a.isExceeded !== b.isExceeded) return a.isExceeded ? a : b;
  return a.remaining / a.limit <= b.remaining / b.limit ? a : b;
};
