import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shopRoute } from "../../shell/shop-route.ts";
import { readListSearch } from "../../ui/list-search.ts";

const reports = createRoute({
  getParentRoute: () => shopRoute,
  path: "reports",
  component: lazyRouteComponent(() => import("./reports-page.tsx"), "ReportsPage"),
});

const sales = createRoute({
  getParentRoute: () => reports,
  path: "/",
  validateSearch: readListSearch(["from", "to", "interval"]),
  component: lazyRouteComponent(() => import("./sales-page.tsx"), "SalesPage"),
});

const tax = createRoute({
  getParentRoute: () => reports,
  path: "tax",
  validateSearch: readListSearch(["from", "to", "location_id"]),
  component: lazyRouteComponent(() => import("./tax-report-page.tsx"), "TaxReportPage"),
});

const customers = createRoute({
  getParentRoute: () => reports,
  path: "customers",
  validateSearch: readListSearch(["from", "to", "location_id"]),
  component: lazyRouteComponent(() => import("./customer-report-page.tsx"), "CustomerReportPage"),
});

const stock = createRoute({
  getParentRoute: () => reports,
  path: "stock",
  validateSearch: readListSearch(["location_id", "show"]),
  component: lazyRouteComponent(() => import("./stock-report-page.tsx"), "StockReportPage"),
});

export const reportRoutes = [reports.addChildren([sales, tax, customers, stock])] as const;
