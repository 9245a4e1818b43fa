import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shopRoute } from "../../shell/shop-route.ts";

const categories = createRoute({
  getParentRoute: () => shopRoute,
  path: "categories",
  component: lazyRouteComponent(() => import("./categories-page.tsx"), "CategoriesPage"),
});

export const categoryRoutes = [categories] as const;
