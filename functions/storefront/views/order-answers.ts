import { idempotencyRepo } from "../../../shared/database/index.ts";
import { hmacSha256, sha256 } from "../../../shared/kernel/index.ts";
import type { RequestContext } from "../../http/api-env.ts";
import { sessionOf } from "../../http/authentication/session-cookie.ts";
import { contextOf, keyed } from "../../http/context.ts";
import { type AnswersOf, routeOf } from "../../http/idempotency/idempotency.ts";
import { secretFor } from "../../runtime/secrets.ts";

/**
 * Kept in the shop for the holder. What names the holder may stand in other rows (an order's session):
 * the deployment's secret seals the answers as well, so that a copy of the database opens none.
 */
const answersOf =
  (holderOf: (c: RequestContext) => Promise<string | null>): AnswersOf =>
  async (c, key) => {
    const holder = await holderOf(c);
    if (holder === null) return null;
    const { db, business } = contextOf(c, { type: "anonymous" });
    const slot = idempotencyRepo(db, {
      businessId: business.id,
      caller: await sha256(holder),
      route: routeOf(c),
      key,
    });
    const secret = await secretFor(c.get("settings"), "shopper answers");
    return { slot, secret: await hmacSha256(secret, holder), in: "shop" };
  };

/** A shopper's session up to its next login or logout. */
async function holderOf(c: RequestContext): Promise<string | null> {
  const session = await sessionOf(c);
  return session && `${session.id} ${session.generation}`;
}

/** Without a session the publishable key alone is known. */
const shopperOf = async (c: RequestContext): Promise<string> =>
  (await holderOf(c)) ?? keyed(c).key.id;

/** Of a write that is about nobody: whoever has no session may have it answered again as well. */
export const answersOfShopper = answersOf(shopperOf);

/**
 * Of a write in a session. A stranger's begins with the call, and another one's with the next: there is
 * nothing that a repeat could do twice.
 */
export const answersOfSession = answersOf(holderOf);

/** Of a write on an order, which the holder of its token may ask for without any session. */
export const answersOfOrder = answersOf(async (c) => c.req.query("token") || shopperOf(c));
