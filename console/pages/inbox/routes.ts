import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shopRoute } from "../../shell/shop-route.ts";
import { readListSearch } from "../../ui/list-search.ts";

const inbox = createRoute({
  getParentRoute: () => shopRoute,
  path: "inbox",
  validateSearch: readListSearch(["show"]),
  component: lazyRouteComponent(() => import("./inbox-page.tsx"), "InboxPage"),
});

const noThread = createRoute({
  getParentRoute: () => inbox,
  path: "/",
  component: lazyRouteComponent(() => import("./no-thread.tsx"), "NoThread"),
});

const thread = createRoute({
  getParentRoute: () => inbox,
  path: "$threadId",
  component: lazyRouteComponent(() => import("./thread-page.tsx"), "ThreadPage"),
});

export const inboxRoutes = [inbox.addChildren([noThread, thread])] as const;
