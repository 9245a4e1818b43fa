import { z } from "@hono/zod-openapi";
import { moveBusiness } from "../../../../shared/moves/index.ts";
import { createRoutes } from "../../../http/app.ts";
import { operator } from "../../../http/authentication/access.ts";
import { envelope, requireJson, route } from "../../../http/contract.ts";
import { id, text } from "../../../wire/fields.ts";
import { createMoveContext } from "../../context.ts";
import { MoveView, viewMove } from "../../views/settings/move.ts";

/** The operator moves a business to another shard (docs/scale.md). */
export const moves = createRoutes().openapi(
  route("post", "/v1/businesses/{business_id}/move", {
    operationId: "moveBusiness",
    tag: "Businesses",
    summary: "Move the business to another shard",
    description: "Repeat the request until is_over is true.",
    access: operator,
    rules: ["INVALID_STATE"],
    params: z.object({ business_id: id() }),
    body: requireJson(z.object({ shard: text(100).min(1) })),
    response: MoveView,
    idempotency: { resumable: true },
  }),
  async (c) => {
    const { business_id: businessId } = c.req.valid("param");
    const ctx = createMoveContext(c);
    const move = await moveBusiness(ctx, { businessId, shard: c.req.valid("json").shard });
    return c.json(envelope(viewMove(move, ctx.now())), 200);
  },
);
