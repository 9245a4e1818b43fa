import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shopRoute } from "../../shell/shop-route.ts";

const today = createRoute({
  getParentRoute: () => shopRoute,
  path: "/",
  component: lazyRouteComponent(() => import("./today-page.tsx"), "TodayPage"),
});

export const todayRoutes = [today] as const;
