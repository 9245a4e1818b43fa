import { z } from "@hono/zod-openapi";
import { hasScope } from "../../../shared/businesses/index.ts";
import { loadToday } from "../../../shared/today/index.ts";
import { createRoutes } from "../../http/app.ts";
import { secretKeyOrAnyMember } from "../../http/authentication/access.ts";
import { callerScopes } from "../../http/authentication/caller.ts";
import { requireCaller } from "../../http/context.ts";
import { envelope, route } from "../../http/contract.ts";
import { id } from "../../wire/fields.ts";
import { createMerchantContext } from "../context.ts";
import { TodayView, viewToday } from "../views/today.ts";

/** What a merchant looks at first (docs/contract/business.md#today). */
export const today = createRoutes().openapi(
  route("get", "/v1/businesses/{business_id}/today", {
    operationId: "getToday",
    tag: "Reports",
    summary: "Get today's figures: orders, bookings, sales, low stock and conversations",
    access: secretKeyOrAnyMember("orders:read"),
    params: z.object({ business_id: id() }),
    response: TodayView,
  }),
  async (c) => {
    const ctx = createMerchantContext(c);
    const scopes = callerScopes(requireCaller(c));
    const figures = await loadToday(ctx, {
      orders: hasScope(scopes, "orders:read"),
      inventory: hasScope(scopes, "inventory:read"),
      support: hasScope(scopes, "support:read"),
    });
    return c.json(envelope(viewToday(figures, ctx.business)), 200);
  },
);
