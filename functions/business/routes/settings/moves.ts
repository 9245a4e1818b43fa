import { z } from "@hono/zod-openapi";
import { moveBusiness } from "../../../../shared/moves/index.ts";
import { area } from "../../../http/app.ts";
import { operator } from "../../../http/authentication/access.ts";
import { answer, contract, json } from "../../../http/contract.ts";
import { id, text } from "../../../wire/fields.ts";
import { moveContext } from "../../context.ts";
import { MoveView, viewMove } from "../../views/settings/move.ts";

/** The operator's word on where a business's data are (docs/scale.md, Moving a business). */
export const moves = area().openapi(
  contract("post", "/v1/businesses/{business_id}/move", {
    summary: "Move the business to another shop database, a part of the way",
    access: operator,
    params: z.object({ business_id: id() }),
    body: json(z.object({ shard: text(100).min(1) })),
    answer: MoveView,
    goesOn: true,
  }),
  async (c) => {
    const { business_id: businessId } = c.req.valid("param");
    const ctx = moveContext(c);
    const move = await moveBusiness(ctx, { businessId, shard: c.req.valid("json").shard });
    return c.json(answer(viewMove(move, ctx.now())), 200);
  },
);
