import { z } from "@hono/zod-openapi";
import type { Redis } from "@upstash/redis/cloudflare";
import type { Ask, Counters } from "./counters.ts";

/** After a failure nobody waits for Redis so long: one store behind all limits would slow down every call. */
const pauseMs = 1_000;

export type RedisSettings = Readonly<{ url: string; token: string }>;

/**
 * A window is a key that goes with it. KEYS: one for each ask. ARGV: the limit, then of each ask what
 * is wanted and for how many milliseconds its key is kept. Redis runs it as one step.
 */
const script = `
local limit = tonumber(ARGV[1])
local answer = {}
for at, key in ipairs(KEYS) do
  local wanted = tonumber(ARGV[2 * at])
  local taken = tonumber(redis.call("GET", key) or "0")
  local granted = math.max(0, math.min(wanted, limit - taken))
  if granted > 0 then
    taken = redis.call("INCRBY", key, granted)
    redis.call("PEXPIRE", key, ARGV[2 * at + 1])
  end
  answer[2 * at - 1] = granted
  answer[2 * at] = taken
end
return answer`;

const Answer = z.array(z.number().int());

/**
 * Counters in Upstash Redis, over its REST protocol.
 *
 * @param answerMs how long an answer is waited for.
 */
export function redisCounters(
  { url, token }: RedisSettings,
  { now, answerMs = 700 }: { now: () => number; answerMs?: number },
): Counters {
  let client: Promise<Redis> | null = null;
  let failedAt = Number.NEGATIVE_INFINITY;

  async function open(): Promise<Redis> {
    const { Redis } = await import("@upstash/redis/cloudflare");
    return new Redis({
      url,
      token,
      retry: false,
      enableAutoPipelining: false, // a call shares no connection with another's
      enableTelemetry: false,
      signal: () => AbortSignal.timeout(answerMs),
    });
  }

  return {
    async lease(name, { limit, windowMs, asks }) {
      if (Math.abs(now() - failedAt) < pauseMs) throw new Error("Redis failed just now");
      try {
        client ??= open();
        const keys = asks.map(({ endsAt }) => `duka:limit:{${name}}:${endsAt}`);
        const given = asks.flatMap((ask) => [ask.wanted, keptMs(ask, { windowMs, now: now() })]);
        const answer = await (await client).eval(script, keys, [limit, ...given]);
        const figures = Answer.length(2 * asks.length).parse(answer);
        return asks.map(({ endsAt }, at) => {
          return { endsAt, granted: figures[2 * at] ?? 0, taken: figures[2 * at + 1] ?? limit };
        });
      } catch (error) {
        failedAt = now();
        throw error;
      }
    },
  };
}

/** A window longer than it lasts: an isolate's clock may be behind. */
const keptMs = ({ endsAt }: Ask, { windowMs, now }: { windowMs: number; now: number }): number =>
  Math.max(endsAt - now, 0) + windowMs;
