import { type Actor, Refusal } from "../kernel/index.ts";
import { type Customer, isLoggedIn } from "./customer.ts";

/** A customer's login in a session; `loggedInAt` is in epoch milliseconds. */
export type Login = Readonly<{ customerId: string; loggedInAt: number }>;

/** The login of the request's session; null when nobody is logged in. */
export const loginOf = (actor: Actor): Login | null =>
  actor.type === "session" && actor.customerId !== null && actor.loggedInAt !== null
    ? { customerId: actor.customerId, loggedInAt: actor.loggedInAt }
    : null;

/** Whether a login is active, given the result of `loginRepo.sessionsEndedQuery`. */
export const isLoginActive = (
  { loggedInAt }: Login,
  [customer]: readonly Pick<Customer, "sessionsEndedAt">[],
): boolean => customer !== undefined && isLoggedIn(customer, loggedInAt);

export const loginEndedRefusal = () =>
  new Refusal({ code: "UNAUTHORIZED", message: "The login has ended; log in again." });
