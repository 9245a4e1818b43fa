import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shopRoute } from "../../shell/shop-route.ts";
import { readListSearch } from "../../ui/list-search.ts";

const composites = createRoute({
  getParentRoute: () => shopRoute,
  path: "composites",
  validateSearch: readListSearch([]),
  component: lazyRouteComponent(() => import("./composites-page.tsx"), "CompositesPage"),
});

const newComposite = createRoute({
  getParentRoute: () => shopRoute,
  path: "composites/new",
  component: lazyRouteComponent(() => import("./composite-page.tsx"), "NewCompositePage"),
});

const composite = createRoute({
  getParentRoute: () => shopRoute,
  path: "composites/$compositeId",
  component: lazyRouteComponent(() => import("./composite-page.tsx"), "CompositePage"),
});

export const compositeRoutes = [composites, newComposite, composite] as const;
