import { cors as honoCors } from "hono/cors";

/**
 * Preflights are answered on every surface. Any origin is echoed here, since a preflight bears no
 * key; the call itself is refused when its origin is not among the business's (access.ts).
 */
export const cors = honoCors({
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
