import { z } from "@hono/zod-openapi";
import { iso } from "../../../../shared/kernel/index.ts";
import { listMissingProviders } from "../../../../shared/orders/index.ts";
import { createRoutes } from "../../../http/app.ts";
import { operator } from "../../../http/authentication/access.ts";
import { envelope, route } from "../../../http/contract.ts";
import { openShards } from "../../context.ts";

/** So many businesses of each shard are named; the operator mends the cause for all at once. */
const maxBusinessesPerShard = 100;

const OperatorStatusView = z
  .object({
    missing_providers: z.array(
      z.object({
        business_id: z.string(),
        provider: z.string(),
        orders: z.number().int(),
        oldest_order_at: z.string(),
      }),
    ),
  })
  .openapi("OperatorStatus");

/** What in the deployment needs the operator (docs/contract/operator.md#operator-status). */
export const operatorStatus = createRoutes().openapi(
  route("get", "/v1/operator/status", {
    summary: "Show what needs the operator",
    access: operator,
    response: OperatorStatusView,
  }),
  async (c) => {
    const missing = await Promise.all(
      openShards(c).map((db) => listMissingProviders(db, maxBusinessesPerShard)),
    );
    const missing_providers = missing.flat().map(({ businessId, provider, orders, oldestAt }) => ({
      business_id: businessId,
      provider,
      orders,
      oldest_order_at: iso(oldestAt),
    }));
    return c.json(envelope({ missing_providers }), 200);
  },
);
