import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shopRoute } from "../../shell/shop-route.ts";
import { readListSearch } from "../../ui/list-search.ts";

const orders = createRoute({
  getParentRoute: () => shopRoute,
  path: "orders",
  validateSearch: readListSearch(["status", "payment_status", "from", "to", "search", "customer"]),
  component: lazyRouteComponent(() => import("./orders-page.tsx"), "OrdersPage"),
});

const order = createRoute({
  getParentRoute: () => shopRoute,
  path: "orders/$orderId",
  component: lazyRouteComponent(() => import("./order-page.tsx"), "OrderPage"),
});

export const orderRoutes = [orders, order] as const;
