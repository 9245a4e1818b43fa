import { writeRateHeaders } from "./rate-limit.ts";
import type { RequestContext } from "./surface-env.ts";

const sane = /^[A-Za-z0-9._:-]{8,128}$/;

/** The caller's own request id when it sent a sane one, else a new one (completions.md 1). */
export function requestIdOf(request: Request): string {
  const given = request.headers.get("x-request-id");
  return given !== null && sane.test(given) ? given : crypto.randomUUID();
}

/** What every answer carries: the request's id, the round trips it took, the rate limits' state. */
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
  if (rate) writeRateHeaders(headers, rate);
}
