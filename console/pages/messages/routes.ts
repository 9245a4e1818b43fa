import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shopRoute } from "../../shell/shop-route.ts";
import { readListSearch } from "../../ui/list-search.ts";

const messages = createRoute({
  getParentRoute: () => shopRoute,
  path: "messages",
  validateSearch: readListSearch(["name", "status", "order_id"]),
  component: lazyRouteComponent(() => import("./message-log-page.tsx"), "MessageLogPage"),
});

export const messageRoutes = [messages] as const;
