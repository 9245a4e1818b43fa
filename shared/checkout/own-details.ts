import {
  type CustomerDetails,
  isLoginActive,
  type Login,
  loginEndedRefusal,
  loginOf,
  loginRepo,
} from "../customers/index.ts";
import { batchedRead, createPrefetch, knownPrefetch, type Prefetch } from "../database/index.ts";
import { invalid } from "../kernel/index.ts";
import type { CheckoutRequest } from "./checkout.ts";
import type { CheckoutContext } from "./context.ts";

/** A customer's own details; null when the request names a contact. */
export type OwnDetails = CustomerDetails | "login_ended" | null;

type Orderer = Pick<CheckoutRequest, "customer">;

/** Whether the request says how to reach the customer. */
const hasContact = ({ customer }: Orderer): boolean =>
  customer.email !== null || customer.phone !== null;

/** @throws Refusal VALIDATION_ERROR for a guest's request without a contact. */
export function assertReachable(login: Login | null, request: Orderer): void {
  if (login === null && !hasContact(request))
    throw invalid("customer.email", "an e-mail address or a phone is required without a login");
}

/** Reads the details of the logged-in customer, which a request without a contact is completed with. */
export function prefetchOwnDetails(
  ctx: Pick<CheckoutContext, "db" | "business" | "actor">,
  request: Orderer,
): Prefetch<OwnDetails> {
  const login = loginOf(ctx.actor);
  if (login === null || hasContact(request)) return knownPrefetch(null);
  return createPrefetch(ctx.db, () =>
    batchedRead([loginRepo(ctx).detailsQuery(login)], ([rows]) => activeDetails(login, rows)),
  );
}

type DetailsRow = CustomerDetails & Readonly<{ sessionsEndedAt: number | null }>;

const activeDetails = (login: Login, rows: readonly DetailsRow[]) =>
  (isLoginActive(login, rows) && rows[0]) || "login_ended";

/**
 * The request with the customer's own e-mail address and phone, and their name if none is sent.
 *
 * @throws Refusal UNAUTHORIZED when the login has ended.
 */
export function withOwnDetails(request: CheckoutRequest, own: OwnDetails): CheckoutRequest {
  if (own === null) return request;
  if (own === "login_ended") throw loginEndedRefusal();
  const { customer } = request;
  const name = customer.name ?? own.name;
  return { ...request, customer: { ...customer, name, email: own.email, phone: own.phone } };
}
