import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shopRoute } from "../../shell/shop-route.ts";
import { readListSearch } from "../../ui/list-search.ts";

const customers = createRoute({
  getParentRoute: () => shopRoute,
  path: "customers",
  validateSearch: readListSearch(["search"]),
  component: lazyRouteComponent(() => import("./customers-page.tsx"), "CustomersPage"),
});

const groups = createRoute({
  getParentRoute: () => shopRoute,
  path: "customers/groups",
  validateSearch: readListSearch([]),
  component: lazyRouteComponent(() => import("./groups-page.tsx"), "GroupsPage"),
});

const customer = createRoute({
  getParentRoute: () => shopRoute,
  path: "customers/$customerId",
  component: lazyRouteComponent(() => import("./customer-page.tsx"), "CustomerPage"),
});

export const customerRoutes = [customers, groups, customer] as const;
