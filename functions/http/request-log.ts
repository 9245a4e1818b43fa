import type { Context } from "hono";
import { matchedRoutes, routePath } from "hono/route";
import { log } from "../runtime/log.ts";
import type { SurfaceEnv } from "./api-env.ts";

/** The path of the row that a request met, which names no record: `/api/v1/orders/:order_id`. */
export function templateOf(c: Context): string {
  const reached = routePath(c);
  if (!isWildcard(reached)) return reached;
  return matchedRoutes(c).findLast(({ path }) => !isWildcard(path))?.path ?? reached;
}

const isWildcard = (path: string) => path.endsWith("*");

/** The line of one request: what was asked, how it ended, what it cost. Nothing of what was sent. */
export function logRequest(c: Context<SurfaceEnv>, durationMs: number): void {
  const caller = c.get("caller");
  const { d1, do: objects, lease } = c.get("meter");
  const { status } = c.res;
  log(status < 500 ? "info" : "error", "request", {
    request_id: c.get("requestId"),
    business: caller?.type === "keyed" ? caller.business.id : null,
    key: caller?.type === "keyed" ? caller.key.id : null,
    method: c.req.method,
    route: templateOf(c),
    status,
    duration_ms: durationMs,
    d1,
    do: objects,
    lease,
  });
}
