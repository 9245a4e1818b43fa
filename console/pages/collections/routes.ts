import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shopRoute } from "../../shell/shop-route.ts";
import { readListSearch } from "../../ui/list-search.ts";

const collections = createRoute({
  getParentRoute: () => shopRoute,
  path: "collections",
  validateSearch: readListSearch([]),
  component: lazyRouteComponent(() => import("./collections-page.tsx"), "CollectionsPage"),
});

const newCollection = createRoute({
  getParentRoute: () => shopRoute,
  path: "collections/new",
  component: lazyRouteComponent(() => import("./collection-page.tsx"), "NewCollectionPage"),
});

const collection = createRoute({
  getParentRoute: () => shopRoute,
  path: "collections/$collectionId",
  component: lazyRouteComponent(() => import("./collection-page.tsx"), "CollectionPage"),
});

export const collectionRoutes = [collections, newCollection, collection] as const;
