import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shopRoute } from "../../shell/shop-route.ts";
import { readListSearch } from "../../ui/list-search.ts";

const calendar = createRoute({
  getParentRoute: () => shopRoute,
  path: "calendar",
  validateSearch: readListSearch(["date", "view", "by", "only"]),
  component: lazyRouteComponent(() => import("./calendar-page.tsx"), "CalendarPage"),
});

export const calendarRoutes = [calendar] as const;
