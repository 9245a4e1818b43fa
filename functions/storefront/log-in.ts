import type { Customer } from "../../shared/customers/index.ts";
import { callObject } from "../http/context.ts";
import { toSentBusiness } from "../runtime/objects/sent-business.ts";
import { runtime } from "../runtime/runtime.ts";
import {
  createSessionCall,
  readSession,
  type SessionClaims,
  type SignedSession,
  sendSession,
} from "./caller-session.ts";
import type { StorefrontContext } from "./env.ts";
import type { LoginProof } from "./objects/cart-session/session-login.ts";

/**
 * Logs in the customer who proved a contact, in the caller's session or in a new one, and sends the
 * new token. If the response is lost, the customer needs a new one-time code. The session still
 * accepts that customer's old token for this login.
 */
export async function logIn(
  c: StorefrontContext,
  proof: LoginProof,
): Promise<Readonly<{ customer: Customer; signed: SignedSession }>> {
  const session = await readSession(c);
  const loggedIn =
    (session && (await logInToSession(c, session, proof))) ?? (await logInToNewSession(c, proof));
  return { customer: loggedIn.customer, signed: await sendSession(c, loggedIn) };
}

/** Returns null when the token was issued before the session's last login or logout. */
async function logInToSession(
  c: StorefrontContext,
  { id, generation, ...claims }: Pick<SessionClaims, "id" | "generation" | "beganWithConversation">,
  proof: LoginProof,
) {
  const object = c.env.CART_SESSION.getByName(id);
  const { beganWithConversation } = claims;
  const { business, ...others } = createSessionCall(c);
  const call = { ...others, business: toSentBusiness(business), beganWithConversation };
  const loggedIn = await callObject(c, object.logIn(generation, call, proof));
  return loggedIn === "stale" ? null : { id, ...loggedIn };
}

async function logInToNewSession(c: StorefrontContext, proof: LoginProof) {
  const claims = { id: runtime.newId("ses"), generation: 0, beganWithConversation: false };
  const loggedIn = await logInToSession(c, claims, proof);
  if (loggedIn === null) throw new Error("A session was stale before its first use.");
  return loggedIn;
}
