import { idempotencyRepo } from "../../shared/database/index.ts";
import { sha256 } from "../../shared/kernel/index.ts";
import { contextOf, keyed } from "../http/context.ts";
import { type AnswersOf, routeOf } from "../http/idempotency.ts";
import { sessionOf } from "../http/sessions.ts";
import type { RequestContext } from "../http/surface-env.ts";

/** Kept in the shop for the holder, which nobody else can open. */
const answersOf =
  (holderOf: (c: RequestContext) => Promise<string>): AnswersOf =>
  async (c, key) => {
    const holder = await holderOf(c);
    const { db, business } = contextOf(c, { type: "anonymous" });
    const slot = idempotencyRepo(db, {
      businessId: business.id,
      caller: await sha256(holder),
      route: routeOf(c),
      key,
    });
    return { slot, secret: holder };
  };

/** A shopper's session up to its next login or logout; without one the publishable key alone is known. */
async function shopperOf(c: RequestContext): Promise<string> {
  const session = await sessionOf(c);
  return session ? `${session.id} ${session.generation}` : keyed(c).key.id;
}

/** Of a write that no session's object serves. */
export const answersOfShopper = answersOf(shopperOf);

/** Of a write on an order, which the holder of its token may ask for without any session. */
export const answersOfOrder = answersOf(async (c) => c.req.query("token") ?? shopperOf(c));
