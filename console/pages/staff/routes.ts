import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shopRoute } from "../../shell/shop-route.ts";
import { readListSearch } from "../../ui/list-search.ts";

const staff = createRoute({
  getParentRoute: () => shopRoute,
  path: "staff",
  validateSearch: readListSearch([]),
  component: lazyRouteComponent(() => import("./staff-page.tsx"), "StaffPage"),
});

const newMember = createRoute({
  getParentRoute: () => shopRoute,
  path: "staff/new",
  component: lazyRouteComponent(() => import("./staff-member-page.tsx"), "NewStaffMemberPage"),
});

const member = createRoute({
  getParentRoute: () => shopRoute,
  path: "staff/$staffId",
  component: lazyRouteComponent(() => import("./staff-member-page.tsx"), "StaffMemberPage"),
});

export const staffRoutes = [staff, newMember, member] as const;
