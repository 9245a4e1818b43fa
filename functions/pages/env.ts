import type { Context } from "hono";
import type { MetricsBindings } from "../runtime/metrics/hand-over.ts";

export type PagesBindings = MetricsBindings &
  Readonly<{
    /** The Worker of the storefront API. */
    STOREFRONT: Readonly<{ fetch(request: Request): Response | Promise<Response> }>;
    METRICS_INTERVAL_SECONDS?: string;
  }>;

export type PageEnv = { Bindings: PagesBindings };

export type PageContext = Context<PageEnv>;
