import { type Actor, Refusal } from "../kernel/index.ts";
import { type Customer, isLoggedIn } from "./customer.ts";

/** A session in which a customer proved a contact, and when (epoch milliseconds). */
export type Login = Readonly<{ customerId: string; loggedInAt: number }>;

/** Whoever asks with a session. */
export const sessionActor = (sessionId: string, login: Login | null): Actor => ({
  type: "session",
  sessionId,
  customerId: login?.customerId ?? null,
  loggedInAt: login?.loggedInAt ?? null,
});

/** Who is logged in with the session that asks; null for nobody. */
export const loginOf = (actor: Actor): Login | null =>
  actor.type === "session" && actor.customerId !== null && actor.loggedInAt !== null
    ? { customerId: actor.customerId, loggedInAt: actor.loggedInAt }
    : null;

/** Whether a login still is one, by what `loginRepo.query` found of its customer. */
export const stands = (
  { loggedInAt }: Login,
  [customer]: readonly Pick<Customer, "sessionsEndedAt">[],
): boolean => customer !== undefined && isLoggedIn(customer, loggedInAt);

export const loginEnded = () =>
  new Refusal({ code: "UNAUTHORIZED", message: "The login has ended; log in again." });
