import type { MiddlewareHandler } from "hono";
import { cors as honoCors } from "hono/cors";

const policy = honoCors({
  origin: (origin) => origin,
  credentials: true,
  allowMethods: ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"],
  allowHeaders: [
    "Authorization",
    "Content-Type",
    "Idempotency-Key",
    "If-None-Match",
    "X-API-Key",
    "X-Business-Id",
    "X-Public-Key",
    "X-Request-Id",
  ],
  exposeHeaders: [
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
 * Preflights are answered on every surface. Any origin is echoed here, since a preflight bears no
 * key; the call itself is refused when its origin is not among the business's (access.ts).
 */
export const cors: MiddlewareHandler = async function cors(c, next) {
  if (c.req.method === "OPTIONS") return policy(c, next);
  await next();
  // Behind the answer: headers that are set before it make Hono copy the whole answer.
  await policy(c, async () => {});
};
