import type { QueryClient } from "@tanstack/react-query";
import { createRootRouteWithContext, createRoute, Outlet, redirect } from "@tanstack/react-router";
import { meQuery } from "../api/me.ts";
import { ShopFrame } from "./shop-frame.tsx";

export const rootRoute = createRootRouteWithContext<Readonly<{ queryClient: QueryClient }>>()({
  component: Outlet,
});

/** The parent of all pages of a shop. It sends a person without a login to the login. */
export const shopRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/$businessId",
  async beforeLoad({ context, location }) {
    const me = await context.queryClient.ensureQueryData(meQuery);
    if (me === null) throw redirect({ to: "/login", search: { next: location.href } });
  },
  component: ShopFrame,
});
