import { idempotencyRepo } from "../../shared/database/index.ts";
import { hmacSha256, sha256 } from "../../shared/kernel/index.ts";
import { createContext, type RequestContext, requireKey } from "../http/context.ts";
import { routeKeyOf } from "../http/idempotency/idempotency.ts";
import type { SelectResponseStore } from "../http/idempotency/response-store.ts";
import { deriveSecret } from "../runtime/secrets.ts";
import { readSession } from "./caller-session.ts";

/**
 * Stores responses in the business's shard under a holder, such as a session. The holder's name
 * alone must not decrypt them, because other rows may contain that name. So a secret of the
 * deployment is part of the encryption key.
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

/** Identifies the shopper's session. Every login and logout changes the value. */
async function findSessionHolder(c: RequestContext): Promise<string | null> {
  const session = await readSession(c);
  return session && `${session.id} ${session.generation}`;
}

/** Identifies the session of the caller, or the publishable key when there is no session. */
const getShopperHolder = async (c: RequestContext): Promise<string> =>
  (await findSessionHolder(c)) ?? requireKey(c).key.id;

/**
 * For writes that belong to no customer. All callers without a session share one stored response.
 */
export const storeByShopper = storeByHolder(getShopperHolder);

/**
 * For writes in a session. A call without a session stores no response: it starts a new session,
 * and a repeated call starts another one.
 */
export const storeBySession = storeByHolder(findSessionHolder);

/** For writes on an order. The caller may send the order's token instead of a session. */
export const storeByOrder = storeByHolder(async (c) => c.req.query("token") || getShopperHolder(c));
