import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shopRoute } from "../../shell/shop-route.ts";
import { readListSearch } from "../../ui/list-search.ts";

const settings = createRoute({
  getParentRoute: () => shopRoute,
  path: "settings",
  component: lazyRouteComponent(() => import("./settings-page.tsx"), "SettingsPage"),
});

const business = createRoute({
  getParentRoute: () => settings,
  path: "/",
  component: lazyRouteComponent(() => import("./business-page.tsx"), "BusinessPage"),
});

const appearance = createRoute({
  getParentRoute: () => settings,
  path: "appearance",
  component: lazyRouteComponent(() => import("./appearance-page.tsx"), "AppearancePage"),
});

const domains = createRoute({
  getParentRoute: () => settings,
  path: "domains",
  validateSearch: readListSearch([]),
  component: lazyRouteComponent(() => import("./domains-page.tsx"), "DomainsPage"),
});

const locations = createRoute({
  getParentRoute: () => settings,
  path: "locations",
  validateSearch: readListSearch([]),
  component: lazyRouteComponent(() => import("./locations/locations-page.tsx"), "LocationsPage"),
});

const newLocation = createRoute({
  getParentRoute: () => shopRoute,
  path: "settings/locations/new",
  component: lazyRouteComponent(() => import("./locations/location-page.tsx"), "NewLocationPage"),
});

const location = createRoute({
  getParentRoute: () => shopRoute,
  path: "settings/locations/$locationId",
  component: lazyRouteComponent(() => import("./locations/location-page.tsx"), "LocationPage"),
});

const delivery = createRoute({
  getParentRoute: () => settings,
  path: "delivery",
  component: lazyRouteComponent(() => import("./delivery/delivery-page.tsx"), "DeliveryPage"),
});

const tax = createRoute({
  getParentRoute: () => settings,
  path: "tax",
  component: lazyRouteComponent(() => import("./tax/tax-page.tsx"), "TaxPage"),
});

const payments = createRoute({
  getParentRoute: () => settings,
  path: "payments",
  component: lazyRouteComponent(() => import("./payments-page.tsx"), "PaymentsPage"),
});

const providers = createRoute({
  getParentRoute: () => settings,
  path: "providers",
  component: lazyRouteComponent(() => import("./providers/providers-page.tsx"), "ProvidersPage"),
});

const messages = createRoute({
  getParentRoute: () => settings,
  path: "messages",
  component: lazyRouteComponent(
    () => import("./messages/messages-page.tsx"),
    "MessageSettingsPage",
  ),
});

const messageTemplate = createRoute({
  getParentRoute: () => shopRoute,
  path: "settings/messages/$name",
  component: lazyRouteComponent(
    () => import("./messages/template-page.tsx"),
    "MessageTemplatePage",
  ),
});

const members = createRoute({
  getParentRoute: () => settings,
  path: "members",
  validateSearch: readListSearch([]),
  component: lazyRouteComponent(() => import("./members-page.tsx"), "MembersPage"),
});

const keys = createRoute({
  getParentRoute: () => settings,
  path: "keys",
  validateSearch: readListSearch([]),
  component: lazyRouteComponent(() => import("./keys-page.tsx"), "KeysPage"),
});

const exportsAndImport = createRoute({
  getParentRoute: () => settings,
  path: "exports",
  validateSearch: readListSearch(["import"]),
  component: lazyRouteComponent(() => import("./exports/exports-page.tsx"), "ExportsPage"),
});

export const settingsRoutes = [
  settings.addChildren([
    business,
    appearance,
    domains,
    locations,
    delivery,
    tax,
    payments,
    providers,
    messages,
    members,
    keys,
    exportsAndImport,
  ]),
  newLocation,
  location,
  messageTemplate,
] as const;
