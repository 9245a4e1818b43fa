import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shopRoute } from "../../shell/shop-route.ts";
import { readListSearch } from "../../ui/list-search.ts";

const operator = createRoute({
  getParentRoute: () => shopRoute,
  path: "operator",
  validateSearch: readListSearch([]),
  component: lazyRouteComponent(() => import("./operator-page.tsx"), "OperatorPage"),
});

export const operatorRoutes = [operator] as const;
