import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shopRoute } from "../../shell/shop-route.ts";
import { readListSearch } from "../../ui/list-search.ts";

const products = createRoute({
  getParentRoute: () => shopRoute,
  path: "products",
  validateSearch: readListSearch(["search", "category_id", "status"]),
  component: lazyRouteComponent(() => import("./products-page.tsx"), "ProductsPage"),
});

const newProduct = createRoute({
  getParentRoute: () => shopRoute,
  path: "products/new",
  component: lazyRouteComponent(() => import("./editor/new-product-page.tsx"), "NewProductPage"),
});

const importProducts = createRoute({
  getParentRoute: () => shopRoute,
  path: "products/import",
  component: lazyRouteComponent(() => import("./import-page.tsx"), "ImportPage"),
});

const product = createRoute({
  getParentRoute: () => shopRoute,
  path: "products/$productId",
  component: lazyRouteComponent(() => import("./editor/product-page.tsx"), "ProductPage"),
});

export const productRoutes = [products, newProduct, importProducts, product] as const;
