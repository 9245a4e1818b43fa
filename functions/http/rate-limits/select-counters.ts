import type { LimiterBinding } from "../../runtime/bindings.ts";
import type { Counters, RedisSettings } from "../../runtime/rate-limit-counters.ts";
import { runtime } from "../../runtime/runtime.ts";
import type { Settings } from "../../runtime/settings.ts";
import { objectCounters } from "./object-counters.ts";
import { redisCounters } from "./redis-counters.ts";

const redisCountersBySettings = new WeakMap<RedisSettings, Counters>();

/** The deployment's counters: in Redis where it is configured, else in Durable Objects. */
export function selectCounters(
  env: Readonly<{ RATE_LIMITER: LimiterBinding }>,
  { redis }: Pick<Settings, "redis">,
): Counters {
  if (!redis) return objectCounters(env.RATE_LIMITER);
  const known = redisCountersBySettings.get(redis) ?? redisCounters(redis, { now: runtime.now });
  redisCountersBySettings.set(redis, known);
  return known;
}
