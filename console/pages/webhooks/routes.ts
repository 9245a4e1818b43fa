import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shopRoute } from "../../shell/shop-route.ts";
import { readListSearch } from "../../ui/list-search.ts";

const webhooks = createRoute({
  getParentRoute: () => shopRoute,
  path: "webhooks",
  component: lazyRouteComponent(() => import("./webhooks-page.tsx"), "WebhooksPage"),
});

const webhook = createRoute({
  getParentRoute: () => shopRoute,
  path: "webhooks/$webhookId",
  validateSearch: readListSearch([]),
  component: lazyRouteComponent(() => import("./webhook-page.tsx"), "WebhookPage"),
});

export const webhookRoutes = [webhooks, webhook] as const;
