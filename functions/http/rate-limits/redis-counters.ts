import { z } from "@hono/zod-openapi";
import type { Redis } from "@upstash/redis/cloudflare";
import type { Counters, RedisSettings, WindowRequest } from "../../runtime/rate-limit-counters.ts";

/** How long Redis is not called after a failure, which would slow down every request. */
const pauseMs = 1_000;

/**
 * Each window is one expiring key. KEYS: one per window. ARGV: the limit, then per window the
 * wanted count and the key's lifetime in milliseconds. Redis runs the script as one step.
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

const GrantFigures = z.array(z.number().int());

/** Counters in Upstash Redis, over its REST protocol; `answerMs` is the timeout of a call. */
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
    async lease(name, { limit, windowMs, windows }) {
      if (Math.abs(now() - failedAt) < pauseMs) throw new Error("Redis failed just now");
      try {
        client ??= open();
        const keys = windows.map(({ endsAt }) => `duka:limit:{${name}}:${endsAt}`);
        const windowArguments = windows.flatMap((window) => [
          window.wanted,
          windowTtlMs(window, { windowMs, now: now() }),
        ]);
        const answer = await (await client).eval(script, keys, [limit, ...windowArguments]);
        const figures = GrantFigures.length(2 * windows.length).parse(answer);
        return windows.map(({ endsAt }, index) => ({
          endsAt,
          granted: figures[2 * index] ?? 0,
          taken: figures[2 * index + 1] ?? limit,
        }));
      } catch (error) {
        failedAt = now();
        throw error;
      }
    },
  };
}

/** Keeps a key one window longer than needed, because an isolate's clock may be behind. */
const windowTtlMs = (
  { endsAt }: WindowRequest,
  { windowMs, now }: { windowMs: number; now: number },
): number => Math.max(endsAt - now, 0) + windowMs;
