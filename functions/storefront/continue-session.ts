import { iso, notFound } from "../../shared/kernel/index.ts";
import { countObjectCall, requireKey } from "../http/context.ts";
import { parseHandOverToken } from "../runtime/hand-over-links.ts";
import type { ContinuedSession } from "../runtime/objects/agent-session-object.ts";
import { runtime } from "../runtime/runtime.ts";
import { createSessionCall, readSession, signSession } from "./caller-session.ts";
import type { StorefrontContext } from "./env.ts";

/** How a hand-over ends, for the page of the link. */
export type HandOverResult =
  | Readonly<{
      state: "open";
      session_token: string;
      expires_at: string;
      item_count: number;
      /** Whether the browser has this session already. */
      is_current: boolean;
      buyer: Readonly<{ name: string; email: string; phone: string }>;
    }>
  | Readonly<{ state: "completed"; order: Readonly<{ id: string; bill_token: string }> | null }>
  | Readonly<{ state: "canceled" | "expired" | "claimed" }>;

/**
 * Hands an agent's session over to the holder of its link (docs/agents.md#handing-over). Once
 * somebody has logged in to the session, the link gives it to nobody else, because the session then
 * opens that customer's account.
 *
 * @throws Refusal NOT_FOUND for a forged token and for that of another business.
 */
export async function continueSession(
  c: StorefrontContext,
  token: string,
): Promise<HandOverResult> {
  const handOver = await parseHandOverToken(c.get("settings"), token);
  const { business } = requireKey(c);
  if (handOver?.businessId !== business.id) throw notFound("link");
  if (handOver.expiresAt <= runtime.now()) return { state: "expired" };
  const { sessionId } = handOver;
  const object = c.env.CART_SESSION.getByName(sessionId);
  const continued = await countObjectCall(c, object.continueAgentSession({ id: business.id }));
  if (continued === null || continued.expiresAt <= runtime.now()) return { state: "expired" };
  if (continued.state === "canceled") return { state: "canceled" };
  const caller = await readSession(c);
  const isCurrent = caller?.id === sessionId && caller.generation === continued.generation;
  if (!isCurrent && (await hasLogin(c, sessionId, continued))) return { state: "claimed" };
  if (continued.state === "completed") {
    const { order } = continued;
    return { state: "completed", order: order && { id: order.id, bill_token: order.billToken } };
  }
  const { generation, ownedSince } = continued;
  const signed = await signSession(c, { id: sessionId, generation, ownedSince });
  return {
    state: "open",
    session_token: signed.token,
    expires_at: iso(continued.expiresAt),
    item_count: continued.itemCount,
    is_current: isCurrent,
    buyer: viewBuyer(continued.buyer),
  };
}

/** Whether anybody has ever logged in to the session, as each login raises its generation. */
async function hasLogin(
  c: StorefrontContext,
  sessionId: string,
  { generation }: ContinuedSession,
): Promise<boolean> {
  if (generation > 0) return true;
  const object = c.env.CART_SESSION.getByName(sessionId);
  const call = object.run(generation, "getLogin", createSessionCall(c), null);
  const reply = await countObjectCall(c, call);
  return reply === "stale" || !reply.outcome.ok || reply.outcome.value !== null;
}

const viewBuyer = (buyer: ContinuedSession["buyer"]) => ({
  name: [buyer?.firstName, buyer?.lastName].filter(Boolean).join(" "),
  email: buyer?.email ?? "",
  phone: buyer?.phone ?? "",
});
