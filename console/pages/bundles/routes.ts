import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shopRoute } from "../../shell/shop-route.ts";
import { readListSearch } from "../../ui/list-search.ts";

const bundles = createRoute({
  getParentRoute: () => shopRoute,
  path: "bundles",
  validateSearch: readListSearch([]),
  component: lazyRouteComponent(() => import("./bundles-page.tsx"), "BundlesPage"),
});

const newBundle = createRoute({
  getParentRoute: () => shopRoute,
  path: "bundles/new",
  component: lazyRouteComponent(() => import("./bundle-page.tsx"), "NewBundlePage"),
});

const bundle = createRoute({
  getParentRoute: () => shopRoute,
  path: "bundles/$bundleId",
  component: lazyRouteComponent(() => import("./bundle-page.tsx"), "BundlePage"),
});

export const bundleRoutes = [bundles, newBundle, bundle] as const;
