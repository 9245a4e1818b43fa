import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shopRoute } from "../../shell/shop-route.ts";
import { readListSearch } from "../../ui/list-search.ts";

const deals = createRoute({
  getParentRoute: () => shopRoute,
  path: "deals",
  validateSearch: readListSearch(["search", "status"]),
  component: lazyRouteComponent(() => import("./deals-page.tsx"), "DealsPage"),
});

const newDeal = createRoute({
  getParentRoute: () => shopRoute,
  path: "deals/new",
  component: lazyRouteComponent(() => import("./deal-page.tsx"), "NewDealPage"),
});

const deal = createRoute({
  getParentRoute: () => shopRoute,
  path: "deals/$dealId",
  component: lazyRouteComponent(() => import("./deal-page.tsx"), "DealPage"),
});

export const dealRoutes = [deals, newDeal, deal] as const;
