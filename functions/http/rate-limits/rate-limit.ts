import type { MiddlewareHandler } from "hono";
import type { RateLimits } from "../../../shared/businesses/index.ts";
import { countEvent, minute, Refusal, second } from "../../../shared/kernel/index.ts";
import type { LimiterBinding } from "../../runtime/bindings.ts";
import { log } from "../../runtime/log.ts";
import type { Counters, RedisSettings } from "../../runtime/rate-limit-counters.ts";
import { runtime } from "../../runtime/runtime.ts";
import type { Settings } from "../../runtime/settings.ts";
import type { ApiEnv, RequestContext } from "../context.ts";
import { respondWithRefusal } from "../errors.ts";
import { createLeaseHolder, type LeaseSource } from "./lease-holder.ts";
import type { Limit, RateState } from "./limit-state.ts";
import { createLocalCounter } from "./local-counter.ts";
import { networkCounter } from "./network-counter.ts";

const { take, takeTogether, exhaustedState } = createLeaseHolder();
const countPreflight = createLocalCounter();

/** Rate limit of requests without a valid key, per client network. */
const unauthenticatedPerSecond = 100;

/**
 * Rate limit of CORS preflights per client network, across all APIs. The limit is high, because
 * many shoppers may share one address.
 */
const preflightsPerSecond = 1_000;

/** A request whose response headers show the state of its limits. */
export type RateLimitedContext = RequestContext &
  Readonly<{ set(name: "rate", state: RateState): void }>;

/** Whether a request may use what its business reserves when its limit is exhausted. */
type HasReserve = (c: RequestContext) => boolean | Promise<boolean>;

/** The limits that the request's route will take later, of the counter of the caller's network. */
type LaterLimits = (c: RequestContext) => readonly Limit[];

/** What a Worker's routes mean for the limits of its requests. */
export type LimitRules = Readonly<{ hasReserve?: HasReserve; laterLimits?: LaterLimits }>;

/**
 * Refuses a request when one of its limits is exhausted (docs/contract/conventions.md#rate-limits).
 */
export const enforceRateLimits = (rules: LimitRules): MiddlewareHandler<ApiEnv> =>
  async function rateLimit(c, next) {
    const state = await countAll(c, rules);
    c.set("rate", state);
    if (!state.isExceeded) return next();
    return respondWithRefusal(c, rateLimitRefusal(state).toData());
  };

/**
 * Counts a request whose API leaves that to its routes.
 *
 * @throws Refusal RATE_LIMITED with retry_after_ms.
 */
export async function assertWithinLimits(c: RateLimitedContext): Promise<void> {
  const state = await countAll(c, {});
  c.set("rate", state);
  if (state.isExceeded) throw rateLimitRefusal(state);
}

async function countAll(
  c: RateLimitedContext,
  { hasReserve = () => false, laterLimits = () => [] }: LimitRules,
): Promise<RateState> {
  const { ofCaller, ofBusiness } = limitsFor(c);
  const exhausted = findExhausted(ofCaller.flat());
  if (exhausted !== null) return exhausted;
  // While a shop is flooded, its networks cause no round trips.
  const ofShop = ofBusiness && findExhausted([ofBusiness.limit]);
  if (ofShop && (findExhausted([ofBusiness.reserve]) || !(await hasReserve(c)))) return ofShop;
  const later = ofBusiness ? laterLimits(c) : [];
  const states = await Promise.all(ofCaller.map((limits) => countTogether(c, limits, later)));
  const state = states.reduce(moreExhausted);
  // A caller beyond its own limits must not use up the business's, which all shoppers share.
  if (state.isExceeded || !ofBusiness) return state;
  const shared = await countRequest(c, ofBusiness.limit);
  if (!shared.isExceeded || !(await hasReserve(c))) return moreExhausted(state, shared);
  return moreExhausted(state, await countRequest(c, ofBusiness.reserve));
}

/** The first of the limits that this isolate knows to be exhausted. Costs no round trip. */
function findExhausted(limits: readonly Limit[]): RateState | null {
  const now = runtime.now();
  for (const limit of limits) {
    const state = exhaustedState(limit, now);
    if (state !== null) return reportIfExceeded(limit, state);
  }
  return null;
}

/**
 * Counts the request against another limit. `name` identifies whose requests that limit counts.
 *
 * @throws Refusal RATE_LIMITED with retry_after_ms.
 */
export async function assertWithinLimit(c: RateLimitedContext, limit: Limit): Promise<void> {
  const state = await countRequest(c, limit);
  const shown = c.get("rate");
  c.set("rate", shown ? moreExhausted(shown, state) : state);
  if (state.isExceeded) throw rateLimitRefusal(state);
}

/** The client's network, for which requests are counted: an IPv4 address or an IPv6 network. */
export const callerNetwork = (c: RequestContext): string =>
  networkOf(c.req.header("cf-connecting-ip") ?? "local");

/**
 * Returns what the limits per IP address count: an IPv4 address itself, or the /64 network of an
 * IPv6 address, because a subscriber can choose any address in a /64.
 */
export function networkOf(address: string): string {
  if (!address.includes(":")) return address;
  const [head = "", tail] = address.toLowerCase().split("::");
  const front = groupsOf(head);
  const back = tail === undefined ? [] : groupsOf(tail);
  const missing = tail === undefined ? 0 : 8 - front.length - back.length;
  const groups = [...front, ...Array.from({ length: Math.max(missing, 0) }, () => "0"), ...back];
  return `${groups.slice(0, 4).join(":")}::/64`;
}

const groupsOf = (text: string): string[] =>
  text === "" ? [] : text.split(":").map((group) => group.replace(/^0+(?=.)/, ""));

const rateLimitRefusal = ({ resetAt }: RateState) =>
  new Refusal({
    code: "RATE_LIMITED",
    message: "Too many requests; wait and try again.",
    context: { retry_after_ms: Math.max(resetAt - runtime.now(), 1) },
  });

/** Writes the X-RateLimit headers. The reset time is in epoch seconds, rounded up. */
export function writeRateHeaders(headers: Headers, { limit, remaining, resetAt }: RateState): void {
  headers.set("X-RateLimit-Limit", String(limit));
  headers.set("X-RateLimit-Remaining", String(remaining));
  headers.set("X-RateLimit-Reset", String(Math.ceil(resetAt / second)));
}

/** The limit against which a request without a valid key is counted. */
function unauthenticatedLimit(c: RequestContext): Limit {
  const address = callerNetwork(c);
  const addressPerSecond = c.get("addressPerSecond");
  return addressPerSecond === null
    ? perSecond(`unauthenticated:${address}`, unauthenticatedPerSecond)
    : perSecond(`address:${address}`, addressPerSecond);
}

/**
 * Applies the limit of preflights. Each isolate counts its own preflights, because a preflight
 * causes no round trip, and a shared counter would add one.
 *
 * @throws Refusal RATE_LIMITED with retry_after_ms.
 */
export function assertPreflightWithinLimit(c: RateLimitedContext): void {
  const limit = perSecond(`preflight:${callerNetwork(c)}`, preflightsPerSecond);
  const state = countPreflight(limit, runtime.now());
  c.set("rate", state);
  if (state.isExceeded) throw rateLimitRefusal(state);
}

/**
 * Refuses a client that has used up its unauthenticated requests, before the database looks up the
 * client's key. Does not count the request and does not call a counter.
 *
 * @throws Refusal RATE_LIMITED with retry_after_ms.
 */
export function assertUnauthenticatedWithinLimit(c: RateLimitedContext): void {
  const state = exhaustedState(unauthenticatedLimit(c), runtime.now());
  if (state === null) return;
  c.set("rate", state);
  throw rateLimitRefusal(state);
}

/** Limits that one counter keeps. */
type LimitGroup = readonly [Limit, ...Limit[]];

type RequestLimits = Readonly<{
  ofCaller: readonly [LimitGroup, ...LimitGroup[]];
  /** The limit of all shoppers of the business, and what is reserved beyond it. */
  ofBusiness: Readonly<{ limit: Limit; reserve: Limit }> | null;
}>;

function limitsFor(c: RequestContext): RequestLimits {
  const address = callerNetwork(c);
  const caller = c.get("caller");
  const addressPerSecond = c.get("addressPerSecond");
  if (caller.type === "unauthenticated")
    return { ofCaller: [[unauthenticatedLimit(c)]], ofBusiness: null };
  const { business } = caller;
  const { rateLimits } = business.settings;
  const name =
    caller.type === "keyed" ? `key:${caller.key.id}` : `member:${business.id}:${caller.userId}`;
  const ofKey = perSecond(name, rateLimits.secretPerSecond ?? 50);
  if (addressPerSecond !== null) {
    const ofAddress = perSecond(`address:${address}`, addressPerSecond);
    return { ofCaller: [[ofAddress], [ofKey]], ofBusiness: null };
  }
  if (caller.type === "member" || caller.key.kind !== "publishable")
    return { ofCaller: [[ofKey]], ofBusiness: null };
  return shopperLimits(business.id, rateLimits, address);
}

/** By default an address may use this part of the business's minute, and as much is reserved. */
const share = 1 / 4;

function shopperLimits(businessId: string, limits: RateLimits, address: string): RequestLimits {
  const ofBusiness = limits.publicPerMinute ?? 1_000;
  const shareOfMinute = Math.ceil(ofBusiness * share);
  const perMinute = (name: string, limit: number): Limit => ({ name, limit, windowMs: minute });
  const ofSecond = perSecond(
    `address:${businessId}:${address}`,
    limits.publicPerSecondPerAddress ?? 100,
  );
  const ofMinute = perMinute(
    `address-minute:${businessId}:${address}`,
    limits.publicPerMinutePerAddress ?? shareOfMinute,
  );
  return {
    ofCaller: [
      [
        { ...ofSecond, counter: networkCounter(businessId, address, "second") },
        { ...ofMinute, counter: networkCounter(businessId, address, "minute") },
      ],
    ],
    ofBusiness: {
      limit: perMinute(`business:${businessId}`, ofBusiness),
      reserve: perMinute(`reserve:${businessId}`, shareOfMinute),
    },
  };
}

const perSecond = (name: string, limit: number): Limit => ({ name, limit, windowMs: second });

/** Counts a request against a limit and returns the limit's state. Refuses nothing. */
export const countRequest = async (c: RequestContext, limit: Limit): Promise<RateState> =>
  reportIfExceeded(limit, await take(limit, leaseSourceOf(c)));

/** Counts a request against limits that one counter keeps. The later ones are only leased. */
async function countTogether(
  c: RequestContext,
  limits: LimitGroup,
  later: readonly Limit[],
): Promise<RateState> {
  const states = await takeTogether(limits, leaseSourceOf(c), later);
  for (const [index, state] of states.entries()) {
    const limit = limits[index];
    if (limit) reportIfExceeded(limit, state);
  }
  return states.reduce(moreExhausted);
}

const leaseSourceOf = (c: RequestContext): LeaseSource => ({
  counters: selectCounters(c.env, c.get("settings")),
  now: runtime.now,
  onRoundTrip: () => {
    c.get("meter").lease += 1;
  },
  // Requests are admitted when the counters fail. Only the first part of the limit's name is
  // logged, because the rest may be a client's address.
  onFailure: ({ name }, error) =>
    log("warn", "rate limiter unreachable", {
      request_id: c.get("requestId"),
      limit: kindOf(name),
      error: String(error),
    }),
});

/** Counts a limit that is used up by its kind, because the rest of its name may be an address. */
function reportIfExceeded({ name }: Limit, state: RateState): RateState {
  if (state.isExceeded) countEvent("limits_hit_total", { limit: kindOf(name) });
  return state;
}

const kindOf = (limitName: string): string => limitName.split(":")[0] ?? limitName;

const moreExhausted = (a: RateState, b: RateState): RateState => {
  if (a.isExceeded !== b.isExceeded) return a.isExceeded ? a : b;
  return a.remaining / a.limit <= b.remaining / b.limit ? a : b;
};

const redisCountersBySettings = new WeakMap<RedisSettings, Counters>();

/**
 * The deployment's rate-limit counters: in Redis when Redis is configured, otherwise in Durable
 * Objects.
 */
function selectCounters(
  env: Readonly<{ RATE_LIMITER: LimiterBinding }>,
  { redis }: Pick<Settings, "redis">,
): Counters {
  return redis ? lazyRedisCounters(redis) : objectCounters(env.RATE_LIMITER);
}

/** Most deployments have no Redis, so its code is imported with the first request that needs it. */
const lazyRedisCounters = (redis: RedisSettings): Counters => ({
  async lease(name, ...requests) {
    const counters = redisCountersBySettings.get(redis) ?? (await createRedisCounters(redis));
    redisCountersBySettings.set(redis, counters);
    return counters.lease(name, ...requests);
  },
});

async function createRedisCounters(redis: RedisSettings): Promise<Counters> {
  const { redisCounters } = await import("./redis-counters.ts");
  return redisCountersBySettings.get(redis) ?? redisCounters(redis, { now: runtime.now });
}

/** Rate-limit counters in Durable Objects, with one object for each counter. */
export const objectCounters = (binding: LimiterBinding): Counters => ({
  lease: (name, ...requests) => binding.getByName(name).lease(...requests),
});
