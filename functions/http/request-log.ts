import type { Context } from "hono";
import { matchedRoutes, routePath } from "hono/route";
import { declinedPaymentReason, findRefusal } from "../../shared/kernel/index.ts";
import { log } from "../runtime/log.ts";
import { scheduleHandOver } from "../runtime/metrics/hand-over.ts";
import { recordRequest } from "../runtime/metrics/isolate-sums.ts";
import { callerId } from "./authentication/caller.ts";
import type { ApiEnv } from "./context.ts";

/** The path pattern of the matched route, such as `/api/v1/orders/:order_id`. Contains no ids. */
export function routePathOf(c: Context): string {
  const reached = routePath(c);
  if (!isWildcard(reached)) return reached;
  return matchedRoutes(c).findLast(({ path }) => !isWildcard(path))?.path ?? reached;
}

const isWildcard = (path: string) => path.endsWith("*");

/** Counts the request for the operator's metrics, and logs it if the deployment logs requests. */
export function reportRequest(c: Context<ApiEnv>, durationMs: number): void {
  const { logsRequests, metricsIntervalMs } = c.get("settings");
  const route = routePathOf(c);
  if (metricsIntervalMs > 0) {
    recordRequest({
      method: c.req.method,
      route: isWildcard(route) ? null : route,
      status: c.res.status,
      durationMs,
      roundTrips: c.get("meter"),
    });
    const waitUntil = (work: Promise<void>) => c.executionCtx.waitUntil(work);
    scheduleHandOver(c.env, { intervalMs: metricsIntervalMs, waitUntil });
  }
  if (logsRequests) logRequest(c, { route, durationMs });
}

/** Logs one line per request with route, status and cost, but nothing that the caller sent. */
function logRequest(
  c: Context<ApiEnv>,
  { route, durationMs }: Readonly<{ route: string; durationMs: number }>,
): void {
  const caller = c.get("caller");
  const isIdentified = caller !== undefined && caller.type !== "unauthenticated";
  const { d1, do: objects, lease } = c.get("meter");
  const { status } = c.res;
  // A declined payment is the provider's decision, and no failure of the service.
  const isDeclined = findRefusal(c.error)?.context?.reason === declinedPaymentReason;
  log(status < 500 || isDeclined ? "info" : "error", "request", {
    request_id: c.get("requestId"),
    business: isIdentified ? caller.business.id : null,
    key: isIdentified ? callerId(caller) : null,
    method: c.req.method,
    route,
    status,
    duration_ms: durationMs,
    d1,
    do: objects,
    lease,
    ...(isDeclined && { reason: declinedPaymentReason }),
  });
}
