import type { QueryClient } from "@tanstack/react-query";
import {
  createRootRouteWithContext,
  createRoute,
  lazyRouteComponent,
  Outlet,
  redirect,
} from "@tanstack/react-router";
import { meQuery } from "../api/me.ts";
import { ShopFrame } from "./shop-frame.tsx";

export const rootRoute = createRootRouteWithContext<Readonly<{ queryClient: QueryClient }>>()({
  component: Outlet,
});

type LoginCheck = Readonly<{
  context: Readonly<{ queryClient: QueryClient }>;
  location: Readonly<{ href: string }>;
}>;

/** Sends a person without a login to the login, which leads back. */
async function requireLogin({ context, location }: LoginCheck): Promise<void> {
  const me = await context.queryClient.ensureQueryData(meQuery);
  if (me === null) throw redirect({ to: "/login", search: { next: location.href } });
}

/** The parent of all pages of a shop. */
export const shopRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/$businessId",
  beforeLoad: requireLogin,
  component: ShopFrame,
});

/** The parent of the pages of an operator, who may have no shop. */
export const operatorRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/operator",
  beforeLoad: requireLogin,
  component: lazyRouteComponent(() => import("./operator-frame.tsx"), "OperatorFrame"),
});
