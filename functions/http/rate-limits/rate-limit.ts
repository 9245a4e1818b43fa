import type { MiddlewareHandler } from "hono";
import { minute, Refusal, second } from "../../../shared/kernel/index.ts";
import { networkOf } from "../../../shared/one-time-codes/index.ts";
import { log } from "../../runtime/log.ts";
import { chance } from "../../runtime/runtime.ts";
import type { RequestContext, SurfaceEnv } from "../api-env.ts";
import { refused } from "../errors.ts";
import { countersOf } from "./counters-of.ts";
import { type Limit, leaseHolder, type RateState } from "./lease-holder.ts";
import { ownCount } from "./own-count.ts";

const { take, usedUp } = leaseHolder();
const countPreflight = ownCount();

/** Of an address, where no business's settings say. */
const strangersPerSecond = 100;

/** Of an address, on any surface: room for the calls of many a business, and of a house with one address. */
const preflightsPerSecond = 1_000;

/** A request whose answer shows how its limits stand. */
type Limited = RequestContext & Readonly<{ set(name: "rate", state: RateState): void }>;

/** Admits a request when every limit that covers it has room (interface.md, Limits; completions.md 15). */
export const rateLimit: MiddlewareHandler<SurfaceEnv> = async function rateLimit(c, next) {
  const states = await Promise.all(limitsOf(c).map((limit) => taken(c, limit)));
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
export async function demandRoom(c: Limited, limit: Limit): Promise<void> {
  const state = await taken(c, limit);
  const shown = c.get("rate");
  c.set("rate", shown ? nearer(shown, state) : state);
  if (state.isExceeded) throw exceeded(state);
}

/** Whom a limit of an address counts: the caller's, of IPv6 its whole network. */
export const networkOfCaller = (c: RequestContext): string =>
  networkOf(c.req.header("cf-connecting-ip") ?? "local");

const exceeded = ({ resetAt }: RateState) =>
  new Refusal({
    code: "RATE_LIMITED",
    message: "Too many requests; wait and try again.",
    context: { retry_after_ms: Math.max(resetAt - chance.now(), 1) },
  });

/** The headers of a limit; the reset is in epoch seconds, rounded up. */
export function writeRateHeaders(headers: Headers, { limit, remaining, resetAt }: RateState): void {
  headers.set("X-RateLimit-Limit", String(limit));
  headers.set("X-RateLimit-Remaining", String(remaining));
  headers.set("X-RateLimit-Reset", String(Math.ceil(resetAt / second)));
}

/** What an address may ask without a key that serves. */
function strangersOf(c: RequestContext): Limit {
  const address = networkOfCaller(c);
  const addressPerSecond = c.get("addressPerSecond");
  return addressPerSecond === null
    ? perSecond(`stranger:${address}`, strangersPerSecond)
    : perSecond(`address:${address}`, addressPerSecond);
}

/**
 * Admits a preflight. A browser sends them unasked and waits for them, and they cost no round trip: they
 * are counted beside the calls, generously, and by this isolate alone.
 *
 * @throws Refusal RATE_LIMITED with retry_after_ms.
 */
export function demandPreflightRoom(c: Limited): void {
  const limit = perSecond(`preflight:${networkOfCaller(c)}`, preflightsPerSecond);
  const state = countPreflight(limit, chance.now());
  c.set("rate", state);
  if (state.isExceeded) throw exceeded(state);
}

/**
 * Before a key is looked up that nobody remembers: whose address has used up what a stranger may ask
 * does not get to ask the database. It asks no counter, and counts nothing.
 *
 * @throws Refusal RATE_LIMITED with retry_after_ms.
 */
export function demandStrangersRoom(c: Limited): void {
  const state = usedUp(strangersOf(c), chance.now());
  if (state === null) return;
  c.set("rate", state);
  throw exceeded(state);
}

function limitsOf(c: RequestContext): [Limit, ...Limit[]] {
  const address = networkOfCaller(c);
  const caller = c.get("caller");
  const addressPerSecond = c.get("addressPerSecond");
  if (caller.type === "stranger") return [strangersOf(c)];
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

const taken = (c: RequestContext, limit: Limit): Promise<RateState> =>
  take(limit, {
    counters: countersOf(c.env, c.get("settings")),
    now: chance.now,
    onHop: () => {
      c.get("meter").lease += 1;
    },
    // The shop stays open without its counters (completions.md 15). A name may hold an address.
    onFailure: ({ name }, error) =>
      log("warn", "rate limiter unreachable", {
        request_id: c.get("requestId"),
        limit: name.split(":")[0],
        error: String(error),
      }),
  });

const nearer = (a: RateState, b: RateState): RateState => {
  if (a.isExceeded !== b.isExceeded) return a.isExceeded ? a : b;
  return a.remaining / a.limit <= b.remaining / b.limit ? a : b;
};
