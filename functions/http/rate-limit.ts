import type { Context, MiddlewareHandler } from "hono";
import { minute, Refusal, second } from "../../shared/kernel/index.ts";
import { chance } from "./chance.ts";
import { refused } from "./errors.ts";
import type { RateState, RequestContext, SurfaceEnv } from "./surface-env.ts";

type Limit = Readonly<{ name: string; limit: number; windowMs: number }>;

type Held = {
  left: number;
  limit: number;
  taken: number;
  resetAt: number;
  windowMs: number;
  /** What the next lease asks for: it grows with the traffic, so that a hop is rare when it is steady. */
  wanted: number;
};

const held = new Map<string, Held>();
const maxHeld = 10_000;

/** Admits a request when every limit that covers it has room (interface.md, Limits; completions.md 15). */
export const rateLimit: MiddlewareHandler<SurfaceEnv> = async function rateLimit(c, next) {
  const states = await Promise.all(limitsOf(c).map((limit) => take(c, limit)));
  const state = states.reduce(nearer);
  c.set("rate", state);
  if (!state.isExceeded) return next();
  return refused(c, exceeded(state).toData());
};

/**
 * A limit of one call's own, beside those of its surface; `name` says whose requests it counts.
 *
 * @throws Refusal RATE_LIMITED with retry_after_ms.
 */
export async function demandRoom(c: Context<SurfaceEnv>, limit: Limit): Promise<void> {
  const state = await take(c, limit);
  const shown = c.get("rate");
  c.set("rate", shown ? nearer(shown, state) : state);
  if (state.isExceeded) throw exceeded(state);
}

const exceeded = ({ resetAt }: RateState) =>
  new Refusal({
    code: "RATE_LIMITED",
    message: "Too many requests; wait and try again.",
    context: { retry_after_ms: Math.max(resetAt - chance.now(), 1) },
  });

export function writeRateHeaders(headers: Headers, { limit, remaining, resetAt }: RateState): void {
  headers.set("X-RateLimit-Limit", String(limit));
  headers.set("X-RateLimit-Remaining", String(remaining));
  headers.set("X-RateLimit-Reset", String(Math.ceil(resetAt / second)));
}

function limitsOf(c: RequestContext): [Limit, ...Limit[]] {
  const address = c.req.header("cf-connecting-ip") ?? "local";
  const caller = c.get("caller");
  const addressPerSecond = c.get("addressPerSecond");
  if (caller.type === "stranger") {
    return [
      addressPerSecond === null
        ? perSecond(`stranger:${address}`, 100)
        : perSecond(`address:${address}`, addressPerSecond),
    ];
  }
  const { key, business } = caller;
  const { publicPerSecondPerAddress, publicPerMinute, secretPerSecond } =
    business.settings.rateLimits;
  if (addressPerSecond !== null) {
    return [
      perSecond(`address:${address}`, addressPerSecond),
      perSecond(`key:${key.id}`, secretPerSecond ?? 50),
    ];
  }
  if (key.kind !== "publishable") return [perSecond(`key:${key.id}`, secretPerSecond ?? 50)];
  return [
    perSecond(`address:${business.id}:${address}`, publicPerSecondPerAddress ?? 100),
    { name: `business:${business.id}`, limit: publicPerMinute ?? 1_000, windowMs: minute },
  ];
}

const perSecond = (name: string, limit: number): Limit => ({ name, limit, windowMs: second });

async function take(c: RequestContext, limit: Limit): Promise<RateState> {
  const now = chance.now();
  let mine = held.get(limit.name);
  while (!mine || !isOfNow(mine, now) || mine.limit !== limit.limit || isSpent(mine)) {
    mine = await leased(c, limit, now);
  }
  const { left, taken, resetAt } = mine;
  if (left === 0) return { limit: limit.limit, remaining: 0, resetAt, isExceeded: true };
  mine.left -= 1;
  return {
    limit: limit.limit,
    remaining: limit.limit - taken + left - 1,
    resetAt,
    isExceeded: false,
  };
}

/** A clock may also go back: then the window is one to come. */
const isOfNow = ({ resetAt, windowMs }: Held, now: number) =>
  resetAt - windowMs <= now && now < resetAt;

/** Used up here, while the window as a whole still has room. */
const isSpent = ({ left, taken, limit }: Held) => left === 0 && taken < limit;

async function leased(
  c: RequestContext,
  { name, limit, windowMs }: Limit,
  now: number,
): Promise<Held> {
  c.get("meter").lease += 1;
  const wanted = held.get(name)?.wanted ?? Math.ceil(limit / 20);
  try {
    const lease = await c.env.RATE_LIMITER.getByName(name).lease({ limit, windowMs, wanted, now });
    const next = Math.min(2 * wanted, Math.ceil(limit / 2));
    return remember(name, { ...lease, left: lease.granted, limit, windowMs, wanted: next });
  } catch (error) {
    // The shop stays open without its counters (completions.md 15).
    console.warn(
      JSON.stringify({ level: "warn", what: "rate limiter unreachable", error: String(error) }),
    );
    return { left: 1, limit, taken: 1, resetAt: now + windowMs, windowMs, wanted };
  }
}

/** Adds a lease to what is held of the same window: requests at once may each have fetched one. */
function remember(name: string, lease: Held): Held {
  const known = held.get(name);
  if (known?.resetAt === lease.resetAt && known.limit === lease.limit) {
    known.left += lease.left;
    known.taken = Math.max(known.taken, lease.taken);
    known.wanted = lease.wanted;
    return known;
  }
  if (held.size >= maxHeld) held.clear();
  held.set(name, lease);
  return lease;
}

const nearer = (a: RateState, b: RateState): RateState => {
  if (a.isExceeded !== b.isExceeded) return a.isExceeded ? a : b;
  return a.remaining / a.limit <= b.remaining / b.limit ? a : b;
};
