import type { QueryClient } from "@tanstack/react-query";
import { createRouter } from "@tanstack/react-router";
import { accountRoutes } from "./pages/account/routes.ts";
import { auditRoutes } from "./pages/audit/routes.ts";
import { bundleRoutes } from "./pages/bundles/routes.ts";
import { calendarRoutes } from "./pages/calendar/routes.ts";
import { categoryRoutes } from "./pages/categories/routes.ts";
import { collectionRoutes } from "./pages/collections/routes.ts";
import { compositeRoutes } from "./pages/composites/routes.ts";
import { customerRoutes } from "./pages/customers/routes.ts";
import { dealRoutes } from "./pages/deals/routes.ts";
import { inboxRoutes } from "./pages/inbox/routes.ts";
import { loginRoutes } from "./pages/login/routes.ts";
import { messageRoutes } from "./pages/messages/routes.ts";
import { operatorRoutes } from "./pages/operator/routes.ts";
import { orderRoutes } from "./pages/orders/routes.ts";
import { productRoutes } from "./pages/products/routes.ts";
import { reportRoutes } from "./pages/reports/routes.ts";
import { resourceRoutes } from "./pages/resources/routes.ts";
import { serviceRoutes } from "./pages/services/routes.ts";
import { settingsRoutes } from "./pages/settings/routes.ts";
import { staffRoutes } from "./pages/staff/routes.ts";
import { stockRoutes } from "./pages/stock/routes.ts";
import { subscriptionRoutes } from "./pages/subscriptions/routes.ts";
import { todayRoutes } from "./pages/today/routes.ts";
import { webhookRoutes } from "./pages/webhooks/routes.ts";
import { ErrorPage, NotFoundPage } from "./shell/error-page.tsx";
import { operatorRoute, rootRoute, shopRoute } from "./shell/shop-route.ts";

const routeTree = rootRoute.addChildren([
  ...loginRoutes,
  operatorRoute.addChildren(operatorRoutes),
  shopRoute.addChildren([
    ...todayRoutes,
    ...orderRoutes,
    ...productRoutes,
    ...categoryRoutes,
    ...collectionRoutes,
    ...bundleRoutes,
    ...compositeRoutes,
    ...dealRoutes,
    ...stockRoutes,
    ...calendarRoutes,
    ...serviceRoutes,
    ...staffRoutes,
    ...resourceRoutes,
    ...subscriptionRoutes,
    ...inboxRoutes,
    ...messageRoutes,
    ...customerRoutes,
    ...reportRoutes,
    ...webhookRoutes,
    ...settingsRoutes,
    ...auditRoutes,
    ...accountRoutes,
  ]),
]);

export const createConsoleRouter = (queryClient: QueryClient) =>
  createRouter({
    routeTree,
    basepath: "/console",
    context: { queryClient },
    scrollRestoration: true,
    defaultPreload: "intent",
    defaultErrorComponent: ErrorPage,
    defaultNotFoundComponent: NotFoundPage,
    // Filters are plain texts: without this, a search for 1001 would become a number.
    parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
    stringifySearch: (search) => {
      const filled = Object.entries(search).filter(
        ([, value]) => typeof value === "string" && value !== "",
      );
      const text = new URLSearchParams(filled).toString();
      return text && `?${text}`;
    },
  });

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}
