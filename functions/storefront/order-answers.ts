import { idempotencyRepo } from "../../shared/database/index.ts";
import { sha256 } from "../../shared/kernel/index.ts";
import { contextOf } from "../http/context.ts";
import { type AnswersOf, routeOf } from "../http/idempotency.ts";
import { sessionOf } from "../http/sessions.ts";

/**
 * Of a write on an order: kept in the shop for whoever holds the order's token, which may be no
 * session at all, else for the session. Nobody else can open them.
 */
export const answersOfOrder: AnswersOf = async (c, key) => {
  const session = await sessionOf(c);
  const holder = c.req.query("token") ?? `${session?.id} ${session?.generation}`;
  const { db, business } = contextOf(c, { type: "anonymous" });
  const slot = idempotencyRepo(db, {
    businessId: business.id,
    caller: await sha256(holder),
    route: routeOf(c),
    key,
  });
  return { slot, secret: holder };
};
