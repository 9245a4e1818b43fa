import { z } from "@hono/zod-openapi";
import type { Redis } from "@upstash/redis/cloudflare";
import type {
  Counters,
  Lease,
  LeaseRequest,
  RedisSettings,
  WindowRequest,
} from "../../runtime/rate-limit-counters.ts";

/**
 * How long Redis is not called after a failure. Otherwise every request would wait for a timeout.
 */
const pauseMs = 1_000;

/**
 * A Lua script that Redis runs atomically. KEYS holds a key for each window. ARGV holds the limit,
 * then for each window the wanted requests and the key's lifetime in milliseconds.
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

/** Rate-limit counters in Upstash Redis, called over HTTP. `answerMs` is the timeout of a call. */
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
      // Each call is sent on its own, so that no request waits for the call of another request.
      enableAutoPipelining: false,
      enableTelemetry: false,
      signal: () => AbortSignal.timeout(answerMs),
    });
  }

  async function leaseWindows(
    name: string,
    { part, limit, windowMs, windows }: LeaseRequest,
  ): Promise<Lease> {
    // A key for every second of the next minute would fill the memory of a small Redis.
    const counted = windows.filter(({ upTo }) => upTo === undefined);
    const keyStart = `duka:limit:{${name}}:${part === undefined ? "" : `${part}:`}`;
    const keys = counted.map(({ endsAt }) => `${keyStart}${endsAt}`);
    const windowArguments = counted.flatMap((window) => [
      window.wanted,
      windowTtlMs(window, { windowMs, now: now() }),
    ]);
    client ??= open();
    const grants = await (await client).eval(script, keys, [limit, ...windowArguments]);
    const figures = GrantFigures.length(2 * counted.length).parse(grants);
    return windows.map((window) => {
      const index = counted.indexOf(window);
      return index < 0
        ? { endsAt: window.endsAt, granted: 0, taken: 0 }
        : {
            endsAt: window.endsAt,
            granted: figures[2 * index] ?? 0,
            taken: figures[2 * index + 1] ?? limit,
          };
    });
  }

  return {
    async lease(name, ...requests) {
      if (Math.abs(now() - failedAt) < pauseMs) throw new Error("Redis failed just now");
      try {
        const leases = await Promise.all(requests.map((request) => leaseWindows(name, request)));
        return leases.flat();
      } catch (error) {
        failedAt = now();
        throw error;
      }
    },
  };
}

/**
 * How long a window's key lives: one window more than needed, because an isolate's clock may be
 * slow.
 */
const windowTtlMs = (
  { endsAt }: WindowRequest,
  { windowMs, now }: { windowMs: number; now: number },
): number => Math.max(endsAt - now, 0) + windowMs;
