import { keyed } from "../http/context.ts";
import { fingerprintOf, idempotencyKeyOf } from "../http/idempotency-key.ts";
import { sessionOf } from "../http/sessions.ts";
import type { RequestContext } from "../http/surface-env.ts";
import type { IdempotentCall } from "../objects/remembered.ts";
import type { StorefrontBindings } from "./env.ts";

type StorefrontContext = RequestContext<StorefrontBindings>;

/** The caller's session object, and what every call of it brings along. */
export async function openSession(c: StorefrontContext) {
  const session = await sessionOf(c);
  const { business } = keyed(c);
  return {
    id: session.id,
    object: c.env.CART_SESSION.getByName(session.id),
    call: { business, requestId: c.get("requestId"), idempotent: null },
  };
}

/** The request's Idempotency-Key as its session keeps it, for a row of the contract; null without one. */
export async function idempotentCall(
  c: StorefrontContext,
  { route, body, key = idempotencyKeyOf(c) }: { route: string; body: unknown; key?: string | null },
): Promise<IdempotentCall | null> {
  return key === null ? null : { route, key, fingerprint: await fingerprintOf(body) };
}
