import type { MiddlewareHandler } from "hono";
import { cors as honoCors } from "hono/cors";
import type { Caller, SurfaceEnv } from "./api-env.ts";
import { isAllowedOrigin } from "./authentication/access.ts";
import { demandPreflightRoom } from "./rate-limits/rate-limit.ts";

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
 * Preflights are answered on every surface. Any origin is echoed there, since a preflight bears no
 * key; the call itself is refused when its origin is not among the business's (access.ts), and not
 * even the refusal may be read.
 */
export const cors: MiddlewareHandler<SurfaceEnv> = async function cors(c, next) {
  if (c.req.method === "OPTIONS") {
    demandPreflightRoom(c);
    return policy(c, next);
  }
  await next();
  if (isRefused(c.get("caller"), c.req.header("origin"))) return;
  // Behind the answer: headers that are set before it make Hono copy the whole answer.
  await policy(c, async () => {});
};

function isRefused(caller: Caller | undefined, origin: string | undefined): boolean {
  if (origin === undefined || caller?.type !== "keyed") return false;
  return caller.key.kind === "publishable" && !isAllowedOrigin(caller.business, origin);
}
