import type { LinkProps } from "@tanstack/react-router";
import type { IconName } from "../ui/icon.tsx";

/** The address of a page of a shop. */
export type PagePath = Extract<NonNullable<LinkProps["to"]>, `/$businessId${string}`>;

type PageLink = Readonly<{ name: string; to: PagePath }>;

type NavigationEntry = PageLink &
  Readonly<{
    icon: IconName;
    /** Without this scope the menu does not show the page. */
    scope: string;
    /** Pages that belong to this one. */
    pages?: readonly PageLink[];
  }>;

/** The pages of a shop, in the order of the menu. */
export const navigation: readonly NavigationEntry[] = [
  { name: "Today", to: "/$businessId", icon: "home", scope: "orders:read" },
  { name: "Orders", to: "/$businessId/orders", icon: "orders", scope: "orders:read" },
  {
    name: "Products",
    to: "/$businessId/products",
    icon: "products",
    scope: "catalogue:read",
    pages: [
      { name: "Categories", to: "/$businessId/categories" },
      { name: "Collections", to: "/$businessId/collections" },
      { name: "Bundles", to: "/$businessId/bundles" },
      { name: "Composites", to: "/$businessId/composites" },
      { name: "Deals", to: "/$businessId/deals" },
    ],
  },
];
