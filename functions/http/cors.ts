import type { MiddlewareHandler } from "hono";
import { cors as honoCors } from "hono/cors";
import type { ApiEnv, Caller } from "./api-env.ts";
import { isAllowedOrigin } from "./authentication/access.ts";
import { assertPreflightWithinLimit } from "./rate-limits/rate-limit.ts";

const policy = honoCors({
  origin: (origin) => origin,
  credentials: true,
  allowMethods: ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"],
  allowHeaders: [
    "Authorization",
    "Content-Type",
    "Idempotency-Key",
    "If-Match",
    "If-Modified-Since",
    "If-None-Match",
    "If-Range",
    "If-Unmodified-Since",
    "Range",
    "X-API-Key",
    "X-Business-Id",
    "X-Public-Key",
    "X-Request-Id",
  ],
  exposeHeaders: [
    "Accept-Ranges",
    "Content-Range",
    "ETag",
    "Idempotency-Replayed",
    "Retry-After",
    "Server-Timing",
    "X-Request-Id",
    "X-RateLimit-Limit",
    "X-RateLimit-Remaining",
    "X-RateLimit-Reset",
  ],
  maxAge: 86_400,
});

/**
 * Every API answers preflights and echoes any origin, because a preflight carries no key. The call
 * itself is refused when its origin is not allowed, and then its response stays unreadable.
 */
export const cors: MiddlewareHandler<ApiEnv> = async function cors(c, next) {
  if (c.req.method === "OPTIONS") {
    assertPreflightWithinLimit(c);
    return policy(c, next);
  }
  await next();
  if (isRefused(c.get("caller"), c.req.header("origin"))) return;
  // Runs after the response was made: headers that are set earlier make Hono copy the response.
  await policy(c, async () => {});
};

function isRefused(caller: Caller | undefined, origin: string | undefined): boolean {
  if (origin === undefined || caller?.type !== "keyed") return false;
  return caller.key.kind === "publishable" && !isAllowedOrigin(caller.business, origin);
}
