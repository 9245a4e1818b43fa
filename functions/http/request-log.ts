import type { Context } from "hono";
import { matchedRoutes, routePath } from "hono/route";
import { declinedPaymentReason, findRefusal } from "../../shared/kernel/index.ts";
import { log } from "../runtime/log.ts";
import { callerId } from "./authentication/caller.ts";
import type { ApiEnv } from "./context.ts";

/** The path pattern of the matched route, such as `/api/v1/orders/:order_id`. Contains no ids. */
export function routePathOf(c: Context): string {
  const reached = routePath(c);
  if (!isWildcard(reached)) return reached;
  return matchedRoutes(c).findLast(({ path }) => !isWildcard(path))?.path ?? reached;
}

const isWildcard = (path: string) => path.endsWith("*");

type HandOver = typeof import("../runtime/metrics/hand-over.ts");
let handOver: HandOver | undefined;

/** Counts the request for the operator's metrics, and logs it if the deployment logs requests. */
export async function reportRequest(c: Context<ApiEnv>, durationMs: number): Promise<void> {
  const { logsRequests, metricsIntervalMs: intervalMs } = c.get("settings");
  const route = routePathOf(c);
  if (logsRequests) logRequest(c, { route, durationMs });
  if (intervalMs === 0) return;
  const request = {
    method: c.req.method,
    route: isWildcard(route) ? null : route,
    status: c.res.status,
    durationMs,
    roundTrips: c.get("meter"),
  };
  const waitUntil = (work: Promise<void>) => c.executionCtx.waitUntil(work);
  handOver ??= await import("../runtime/metrics/hand-over.ts");
  handOver.countHttpRequest(c.env, request, { intervalMs, waitUntil });
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
