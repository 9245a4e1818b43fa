import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shopRoute } from "../../shell/shop-route.ts";
import { readListSearch } from "../../ui/list-search.ts";

const subscriptions = createRoute({
  getParentRoute: () => shopRoute,
  path: "subscriptions",
  validateSearch: readListSearch([]),
  component: lazyRouteComponent(() => import("./subscriptions-page.tsx"), "SubscriptionsPage"),
});

const subscription = createRoute({
  getParentRoute: () => shopRoute,
  path: "subscriptions/$subscriptionId",
  component: lazyRouteComponent(() => import("./subscription-page.tsx"), "SubscriptionPage"),
});

const plans = createRoute({
  getParentRoute: () => shopRoute,
  path: "plans",
  validateSearch: readListSearch([]),
  component: lazyRouteComponent(() => import("./plans-page.tsx"), "PlansPage"),
});

export const subscriptionRoutes = [subscriptions, subscription, plans] as const;
