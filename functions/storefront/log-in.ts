import type { Contact, Customer } from "../../shared/customers/index.ts";
import type { RequestContext } from "../http/api-env.ts";
import { type Session, sendCookie, sessionOf } from "../http/authentication/session-cookie.ts";
import { replied } from "../http/object-calls.ts";
import { chance } from "../runtime/runtime.ts";
import type { StorefrontBindings } from "./env.ts";
import { sessionCall } from "./session-call.ts";

type StorefrontContext = RequestContext<StorefrontBindings>;
type Holding = Pick<Session, "id" | "generation">;

/**
 * Logs in whoever proved a contact, in the caller's session or, without one, in a fresh one, and
 * gives the browser the new cookie. Should this answer be lost, the shopper's old cookie is worthless
 * and the code is spent: a new code, which may be asked for at once, takes the same customer back
 * into the session with the old cookie, and the cart is there.
 */
export async function logIn(
  c: StorefrontContext,
  contact: Contact,
): Promise<Readonly<{ customer: Customer; session: Session }>> {
  const known = await sessionOf(c);
  const loggedIn = (known && (await logInWith(c, known, contact))) ?? (await logInAnew(c, contact));
  return { customer: loggedIn.customer, session: await sendCookie(c, loggedIn) };
}

/** Null when the session is not the caller's any more. */
async function logInWith(c: StorefrontContext, { id, generation }: Holding, contact: Contact) {
  const object = c.env.CART_SESSION.getByName(id);
  const loggedIn = await replied(c, object.logIn(generation, sessionCall(c), contact));
  return loggedIn === "stale" ? null : { id, ...loggedIn };
}

async function logInAnew(c: StorefrontContext, contact: Contact) {
  const loggedIn = await logInWith(c, { id: chance.newId("ses"), generation: 0 }, contact);
  if (loggedIn === null) throw new Error("A session was stale before its first use.");
  return loggedIn;
}
