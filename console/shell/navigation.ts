import type { LinkProps } from "@tanstack/react-router";
import type { ComponentType } from "react";
import type { AccessScope } from "../api/console-api.ts";
import { UnreadChats } from "../pages/inbox/unread-chats.tsx";
import type { IconName } from "../ui/icon.tsx";

/** The address of a page of a shop. */
export type PagePath = Extract<NonNullable<LinkProps["to"]>, `/$businessId${string}`>;

type PageLink = Readonly<{ name: string; to: PagePath }>;

/** A page under a tab. Without a scope of its own it needs that of its menu entry. */
export type TabLink = PageLink & Readonly<{ scope?: AccessScope }>;

type NavigationEntry = PageLink &
  Readonly<{
    icon: IconName;
    /** Without this scope the menu does not show the page. */
    scope: AccessScope;
    /** Shows how much there waits for somebody. */
    Count?: ComponentType;
    /** Pages that belong to this one. */
    pages?: readonly PageLink[];
    /** Pages under tabs of this one, which the search finds too. */
    tabs?: readonly TabLink[];
  }>;

export const reportTabs: readonly TabLink[] = [
  { name: "Sales", to: "/$businessId/reports" },
  { name: "Tax", to: "/$businessId/reports/tax" },
  { name: "Customers", to: "/$businessId/reports/customers", scope: "customers:read" },
  { name: "Stock", to: "/$businessId/reports/stock", scope: "inventory:read" },
];

export const settingsTabs: readonly TabLink[] = [
  { name: "Business", to: "/$businessId/settings" },
  { name: "Appearance", to: "/$businessId/settings/appearance" },
  { name: "Domains", to: "/$businessId/settings/domains" },
  { name: "Locations", to: "/$businessId/settings/locations" },
  { name: "Delivery", to: "/$businessId/settings/delivery" },
  { name: "Tax", to: "/$businessId/settings/tax" },
  { name: "Payments", to: "/$businessId/settings/payments" },
  {
    name: "Payment providers",
    to: "/$businessId/settings/providers",
    scope: "payments:read",
  },
  { name: "Messages", to: "/$businessId/settings/messages", scope: "messages:read" },
  { name: "Members", to: "/$businessId/settings/members", scope: "members:read" },
  { name: "API keys", to: "/$businessId/settings/keys", scope: "keys:read" },
  { name: "Export and import", to: "/$businessId/settings/exports", scope: "*" },
];

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
  { name: "Stock", to: "/$businessId/stock", icon: "stock", scope: "inventory:read" },
  {
    name: "Calendar",
    to: "/$businessId/calendar",
    icon: "calendar",
    scope: "orders:read",
    pages: [
      { name: "Services", to: "/$businessId/services" },
      { name: "Staff", to: "/$businessId/staff" },
      { name: "Resources", to: "/$businessId/resources" },
    ],
  },
  {
    name: "Subscriptions",
    to: "/$businessId/subscriptions",
    icon: "subscriptions",
    scope: "orders:read",
    pages: [{ name: "Plans", to: "/$businessId/plans" }],
  },
  {
    name: "Inbox",
    to: "/$businessId/inbox",
    icon: "inbox",
    scope: "support:read",
    Count: UnreadChats,
  },
  { name: "Message log", to: "/$businessId/messages", icon: "mail", scope: "messages:read" },
  {
    name: "Customers",
    to: "/$businessId/customers",
    icon: "customers",
    scope: "customers:read",
    pages: [{ name: "Groups", to: "/$businessId/customers/groups" }],
  },
  {
    name: "Reports",
    to: "/$businessId/reports",
    icon: "reports",
    scope: "orders:read",
    tabs: reportTabs,
  },
  { name: "Webhooks", to: "/$businessId/webhooks", icon: "webhooks", scope: "webhooks:read" },
  {
    name: "Settings",
    to: "/$businessId/settings",
    icon: "settings",
    scope: "settings:read",
    tabs: settingsTabs,
  },
  { name: "Audit", to: "/$businessId/audit", icon: "audit", scope: "settings:read" },
];
