import { chance } from "../../runtime/runtime.ts";
import type { Settings } from "../../runtime/settings.ts";
import type { Counters } from "./counters.ts";
import { type LimiterBinding, objectCounters } from "./object-counters.ts";
import { type RedisSettings, redisCounters } from "./redis-counters.ts";

const inRedis = new WeakMap<RedisSettings, Counters>();

/** The deployment's counters: in Redis where it has one, else in objects. */
export function countersOf(
  env: Readonly<{ RATE_LIMITER: LimiterBinding }>,
  { redis }: Pick<Settings, "redis">,
): Counters {
  if (!redis) return objectCounters(env.RATE_LIMITER);
  const known = inRedis.get(redis) ?? redisCounters(redis, { now: chance.now });
  inRedis.set(redis, known);
  return known;
}
