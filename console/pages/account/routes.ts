import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shopRoute } from "../../shell/shop-route.ts";

const account = createRoute({
  getParentRoute: () => shopRoute,
  path: "account",
  component: lazyRouteComponent(() => import("./account-page.tsx"), "AccountPage"),
});

export const accountRoutes = [account] as const;
