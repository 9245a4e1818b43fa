import type { MiddlewareHandler } from "hono";
import { cors as honoCors } from "hono/cors";
import { isAllowedOrigin } from "./authentication/access.ts";
import type { Caller } from "./authentication/caller.ts";
import { isOwnOrigin } from "./authentication/console-cookie.ts";
import type { ApiEnv, RequestContext } from "./context.ts";
import { assertPreflightWithinLimit, writeRateHeaders } from "./rate-limits/rate-limit.ts";

const acceptableRequestId = /^[A-Za-z0-9._:-]{8,128}$/;

/**
 * The caller's request id when it is well-formed, otherwise a new one
 * (docs/contract/conventions.md#headers).
 */
export function readRequestId(request: Request): string {
  const requestId = request.headers.get("x-request-id");
  return requestId !== null && acceptableRequestId.test(requestId)
    ? requestId
    : crypto.randomUUID();
}

/** One year, the minimum with which browsers include a host in their https-only lists. */
const strictTransport = "max-age=31536000";

/**
 * Writes the headers of every response: request id, round trips and rate limits. The others stop
 * browsers from guessing content types, sending referrers and falling back to plain HTTP.
 */
export function writeResponseHeaders(c: RequestContext): void {
  const meter = c.get("meter");
  const requestId = c.get("requestId");
  const rate = c.get("rate");
  // Headers are set in place, because `c.header` would copy a finished response each time.
  const { headers } = c.res;
  headers.set("X-Request-Id", requestId);
  headers.set(
    "Server-Timing",
    `d1;desc="${meter.d1}", do;desc="${meter.do}", lease;desc="${meter.lease}"`,
  );
  // A replay gives a caller nothing but the first response, least of all a session.
  if (headers.has("Idempotency-Replayed"))
    for (const name of ["Set-Cookie", "X-Session-Token"]) headers.delete(name);
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-store");
  headers.set("X-Content-Type-Options", "nosniff");
  if (!headers.has("Referrer-Policy")) headers.set("Referrer-Policy", "no-referrer");
  if (c.req.raw.url.startsWith("https:")) headers.set("Strict-Transport-Security", strictTransport);
  if (rate) writeRateHeaders(headers, rate);
  const warning = c.get("warning");
  if (warning !== null) headers.set("Warning", warning);
}

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
    "X-Session-Token",
  ],
  exposeHeaders: [
    "Accept-Ranges",
    "Content-Range",
    "ETag",
    "Idempotency-Replayed",
    "Retry-After",
    "Server-Timing",
    "Warning",
    "X-Has-More",
    "X-Next-Cursor",
    "X-Request-Id",
    "X-RateLimit-Limit",
    "X-RateLimit-Remaining",
    "X-RateLimit-Reset",
    "X-Session-Token",
  ],
  maxAge: 86_400,
});

/**
 * Allows every origin in preflights, because a preflight carries no key and names no business. The
 * call itself is refused for a forbidden origin, and its response lacks the CORS headers.
 */
export const cors: MiddlewareHandler<ApiEnv> = async function cors(c, next) {
  if (c.req.method === "OPTIONS") {
    assertPreflightWithinLimit(c);
    return policy(c, next);
  }
  await next();
  const origin = c.req.header("origin");
  // Pages of other hosts must not read what a member's cookie gives access to.
  if (origin !== undefined && c.get("consoleSession") !== null && !isOwnOrigin(c, origin)) return;
  if (isRefused(c.get("caller"), origin)) return;
  // Runs after the handler. CORS headers that are set earlier would make Hono copy the response.
  await policy(c, async () => {});
};

function isRefused(caller: Caller | undefined, origin: string | undefined): boolean {
  if (origin === undefined || caller?.type !== "keyed") return false;
  return caller.key.kind === "publishable" && !isAllowedOrigin(caller.business, origin);
}
