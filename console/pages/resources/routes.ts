import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shopRoute } from "../../shell/shop-route.ts";
import { readListSearch } from "../../ui/list-search.ts";

const resources = createRoute({
  getParentRoute: () => shopRoute,
  path: "resources",
  validateSearch: readListSearch([]),
  component: lazyRouteComponent(() => import("./resources-page.tsx"), "ResourcesPage"),
});

export const resourceRoutes = [resources] as const;
