import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shopRoute } from "../../shell/shop-route.ts";
import { readListSearch } from "../../ui/list-search.ts";

const audit = createRoute({
  getParentRoute: () => shopRoute,
  path: "audit",
  validateSearch: readListSearch(["actor", "entity", "from", "to"]),
  component: lazyRouteComponent(() => import("./audit-page.tsx"), "AuditPage"),
});

export const auditRoutes = [audit] as const;
