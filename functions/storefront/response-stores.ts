import { idempotencyRepo } from "../../shared/database/index.ts";
import { hmacSha256, sha256 } from "../../shared/kernel/index.ts";
import { createContext, type RequestContext, requireKey } from "../http/context.ts";
import { routeKeyOf } from "../http/idempotency/idempotency.ts";
import type { SelectResponseStore } from "../http/idempotency/response-store.ts";
import { deriveSecret } from "../runtime/secrets.ts";
import { readSession } from "./caller-session.ts";

/**
 * Stores responses in the business's shard by a holder, such as a session. A secret of the deployment
 * seals them, because other rows may contain the holder's name: a copy of the database opens none.
 */
const storeByHolder =
  (findHolder: (c: RequestContext) => Promise<string | null>): SelectResponseStore =>
  async (c, key) => {
    const holder = await findHolder(c);
    if (holder === null) return null;
    const { db, business } = createContext(c, { type: "anonymous" });
    const record = idempotencyRepo(db, {
      businessId: business.id,
      caller: await sha256(holder),
      route: routeKeyOf(c),
      key,
    });
    const secret = await deriveSecret(c.get("settings"), "shopper answers");
    return { record, secret: await hmacSha256(secret, holder), database: "shop" };
  };

/** The shopper's session until its next login or logout. */
async function findSessionHolder(c: RequestContext): Promise<string | null> {
  const session = await readSession(c);
  return session && `${session.id} ${session.generation}`;
}

/** The session, or the publishable key without one. */
const getShopperHolder = async (c: RequestContext): Promise<string> =>
  (await findSessionHolder(c)) ?? requireKey(c).key.id;

/** For writes that belong to no customer: all callers without a session share the stored response. */
export const storeByShopper = storeByHolder(getShopperHolder);

/**
 * For writes in a session. A call without a session starts one, and so does its repeat, which then
 * changes nothing twice.
 */
export const storeBySession = storeByHolder(findSessionHolder);

/** For writes on an order, which may be made with the order's token instead of a session. */
export const storeByOrder = storeByHolder(async (c) => c.req.query("token") || getShopperHolder(c));
