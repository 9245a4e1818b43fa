import { loginRepo } from "../../shared/customers/index.ts";
import { idempotencyRepo } from "../../shared/database/index.ts";
import { conflict, hmacSha256, sha256 } from "../../shared/kernel/index.ts";
import { createContext, type RequestContext, requireKey } from "../http/context.ts";
import { routeKeyOf } from "../http/idempotency/idempotency.ts";
import type { SelectResponseStore } from "../http/idempotency/response-store.ts";
import { deriveSecret } from "../runtime/secrets.ts";
import { callExistingSession, readSession } from "./caller-session.ts";
import type { StorefrontContext } from "./env.ts";

/** Whose responses are stored, and whether that is the caller's session, which may have ended. */
type Holder = Readonly<{ id: string; isSession: boolean }>;

/**
 * Stores responses in the business's shard under a holder, such as a session. The holder's name
 * alone must not decrypt them, because other rows may contain that name. So a secret of the
 * deployment is part of the encryption key.
 */
const storeByHolder =
  (findHolder: (c: RequestContext) => Promise<Holder | null>): SelectResponseStore =>
  async (c, key) => {
    const holder = await findHolder(c);
    if (holder === null) return null;
    const ctx = createContext(c, { type: "anonymous" });
    const { db, business } = ctx;
    const record = idempotencyRepo(db, {
      businessId: business.id,
      caller: await sha256(holder.id),
      route: routeKeyOf(c),
      key,
    });
    const secret = await deriveSecret(c.get("settings"), "shopper answers");
    return {
      record,
      secret: await hmacSha256(secret, holder.id),
      database: "shop",
      ...(holder.isSession && { assertActive: () => assertSessionActive(c, ctx) }),
    };
  };

/**
 * Only its object knows whether a session still accepts the token, and only the database whether
 * the customer's logins were ended. So a logout and an erasure end the replays.
 *
 * @param ctx was created before the call's own batch, so that its reads claim no key.
 * @throws Refusal CONFLICT.
 */
async function assertSessionActive(
  c: RequestContext,
  ctx: Parameters<typeof loginRepo>[0],
): Promise<void> {
  // Safe: only routes of the storefront use these stores.
  const existing = await callExistingSession(c as StorefrontContext, "getLogin", null);
  const login = existing?.result ?? null;
  const isEnded =
    existing === null || (login !== null && (await loginRepo(ctx).find(login)) === null);
  if (isEnded)
    throw conflict(
      "The Idempotency-Key was used in a session or by a customer whose login has ended. Send a new key.",
    );
}

/** Identifies the shopper's session. Every login and logout changes the value. */
async function findSessionHolder(c: RequestContext): Promise<Holder | null> {
  const session = await readSession(c);
  return session && { id: `${session.id} ${session.generation}`, isSession: true };
}

/** Identifies the session of the caller, or the publishable key when there is no session. */
const getShopperHolder = async (c: RequestContext): Promise<Holder> =>
  (await findSessionHolder(c)) ?? { id: requireKey(c).key.id, isSession: false };

/**
 * For writes that belong to no customer. All callers without a session share one stored response.
 */
export const storeByShopper = storeByHolder(getShopperHolder);

/**
 * For writes in a session. A call without a session stores no response: it starts a new session,
 * and a repeated call starts another one.
 */
export const storeBySession = storeByHolder(findSessionHolder);

/** For a payment's challenge. The caller may send the order's token instead of a session. */
export const storeByPayer = storeByHolder(async (c) => {
  const token = c.req.query("token");
  return token ? { id: token, isSession: false } : findSessionHolder(c);
});

/** For writes on an order. The caller may send the order's token instead of a session. */
export const storeByOrder = storeByHolder(async (c) => {
  const token = c.req.query("token");
  return token ? { id: token, isSession: false } : getShopperHolder(c);
});
