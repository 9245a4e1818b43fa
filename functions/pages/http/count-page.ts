import { routePath } from "hono/route";
import { countHttpRequest } from "../../runtime/metrics/hand-over.ts";
import { runtime } from "../../runtime/runtime.ts";
import type { PageContext } from "../env.ts";

const noRoundTrips = { d1: 0, do: 0, lease: 0 }; // those of its calls are the storefront's

/** Serves a page, and counts it for the operator's metrics. */
export async function countPage(c: PageContext, next: () => Promise<void>): Promise<void> {
  const startedAt = runtime.now();
  await next();
  const intervalMs = Number(c.env.METRICS_INTERVAL_SECONDS ?? 10) * 1_000;
  if (!(intervalMs > 0)) return;
  const route = routePath(c);
  const request = {
    method: c.req.method,
    route: route.endsWith("*") ? null : route,
    status: c.res.status,
    durationMs: runtime.now() - startedAt,
    roundTrips: noRoundTrips,
  };
  const waitUntil = (work: Promise<void>) => c.executionCtx.waitUntil(work);
  countHttpRequest(c.env, request, { intervalMs, waitUntil });
}
