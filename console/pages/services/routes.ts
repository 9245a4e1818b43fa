import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shopRoute } from "../../shell/shop-route.ts";
import { readListSearch } from "../../ui/list-search.ts";

const services = createRoute({
  getParentRoute: () => shopRoute,
  path: "services",
  validateSearch: readListSearch([]),
  component: lazyRouteComponent(() => import("./services-page.tsx"), "ServicesPage"),
});

const newService = createRoute({
  getParentRoute: () => shopRoute,
  path: "services/new",
  component: lazyRouteComponent(() => import("./service-page.tsx"), "NewServicePage"),
});

const service = createRoute({
  getParentRoute: () => shopRoute,
  path: "services/$serviceId",
  component: lazyRouteComponent(() => import("./service-page.tsx"), "ServicePage"),
});

export const serviceRoutes = [services, newService, service] as const;
