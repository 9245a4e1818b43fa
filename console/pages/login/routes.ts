import { createRoute, redirect } from "@tanstack/react-router";
import { meQuery } from "../../api/me.ts";
import { rootRoute } from "../../shell/shop-route.ts";
import { readListSearch } from "../../ui/list-search.ts";
import { LoginPage } from "./login-page.tsx";

const login = createRoute({
  getParentRoute: () => rootRoute,
  path: "/login",
  validateSearch: readListSearch(["next"]),
  component: LoginPage,
});

/** The address without a business opens the first one of the member, or the operator's page. */
const start = createRoute({
  getParentRoute: () => rootRoute,
  path: "/",
  async beforeLoad({ context }) {
    const me = await context.queryClient.ensureQueryData(meQuery);
    const [first] = me?.memberships ?? [];
    if (first) throw redirect({ to: "/$businessId", params: { businessId: first.business_id } });
    throw redirect({ to: me?.user.is_operator ? "/operator" : "/login" });
  },
});

export const loginRoutes = [start, login] as const;
