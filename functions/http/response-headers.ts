import type { RequestContext } from "./api-env.ts";
import { writeRateHeaders } from "./rate-limits/rate-limit.ts";

const acceptableRequestId = /^[A-Za-z0-9._:-]{8,128}$/;

/**
 * The caller's request id if it is acceptable, else a new one
 * (docs/contract/conventions.md#headers).
 */
export function readRequestId(request: Request): string {
  const requestId = request.headers.get("x-request-id");
  return requestId !== null && acceptableRequestId.test(requestId)
    ? requestId
    : crypto.randomUUID();
}

/** One year, the least that browsers' preload lists accept. */
const strictTransport = "max-age=31536000";

/**
 * Writes the headers of every response: request id, round trips, rate limits, and those that stop
 * browsers from guessing types, leaking addresses or falling back to plain HTTP.
 */
export function writeResponseHeaders(c: RequestContext): void {
  const meter = c.get("meter");
  const requestId = c.get("requestId");
  const rate = c.get("rate");
  const { headers } = c.res; // set in place, because c.header would copy a finished response each time
  headers.set("X-Request-Id", requestId);
  headers.set(
    "Server-Timing",
    `d1;desc="${meter.d1}", do;desc="${meter.do}", lease;desc="${meter.lease}"`,
  );
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-store");
  headers.set("X-Content-Type-Options", "nosniff");
  if (!headers.has("Referrer-Policy")) headers.set("Referrer-Policy", "no-referrer");
  if (c.req.raw.url.startsWith("https:")) headers.set("Strict-Transport-Security", strictTransport);
  if (rate) writeRateHeaders(headers, rate);
}
