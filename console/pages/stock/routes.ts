import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shopRoute } from "../../shell/shop-route.ts";
import { readListSearch } from "../../ui/list-search.ts";

const stock = createRoute({
  getParentRoute: () => shopRoute,
  path: "stock",
  validateSearch: readListSearch(["search", "location_id", "low_stock"]),
  component: lazyRouteComponent(() => import("./stock-page.tsx"), "StockPage"),
});

const level = createRoute({
  getParentRoute: () => shopRoute,
  path: "stock/$productId/$locationId",
  validateSearch: readListSearch(["variant_id"]),
  component: lazyRouteComponent(() => import("./level-page.tsx"), "LevelPage"),
});

export const stockRoutes = [stock, level] as const;
