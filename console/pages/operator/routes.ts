import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { operatorRoute } from "../../shell/shop-route.ts";
import { readListSearch } from "../../ui/list-search.ts";

const deployment = createRoute({
  getParentRoute: () => operatorRoute,
  path: "/",
  validateSearch: readListSearch([]),
  component: lazyRouteComponent(() => import("./operator-page.tsx"), "OperatorPage"),
});

const account = createRoute({
  getParentRoute: () => operatorRoute,
  path: "account",
  component: lazyRouteComponent(() => import("../account/account-page.tsx"), "AccountPage"),
});

export const operatorRoutes = [deployment, account] as const;
