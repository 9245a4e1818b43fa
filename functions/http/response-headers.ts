import type { RequestContext } from "./api-env.ts";
import { writeRateHeaders } from "./rate-limits/rate-limit.ts";

const sane = /^[A-Za-z0-9._:-]{8,128}$/;

/** The caller's own request id when it sent a sane one, else a new one (completions.md 1). */
export function requestIdOf(request: Request): string {
  const given = request.headers.get("x-request-id");
  return given !== null && sane.test(given) ? given : crypto.randomUUID();
}

/** A year, as browsers want it before they hold on to it. */
const strictTransport = "max-age=31536000";

/**
 * What every answer carries: the request's id, the round trips it took, the rate limits' state, and
 * what keeps browsers from guessing its type, telling its address, or coming back without TLS.
 */
export function writeAnswerHeaders(c: RequestContext): void {
  const meter = c.get("meter");
  const requestId = c.get("requestId");
  const rate = c.get("rate");
  const { headers } = c.res; // set in place: after the answer is made, c.header would copy it each time
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
