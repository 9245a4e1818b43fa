import { type ContactProof, type Customer, verifyContact } from "../customers/index.ts";
import type { Context } from "../database/index.ts";
import { guestOrderRepo } from "./guest-order-repo.ts";

/** A proof, and the session that logs in; null when its cookie is not the current one. */
type SessionProof = ContactProof & Readonly<{ sessionId: string | null }>;

/**
 * Returns the customer who logs in with a contact that was just verified, and makes the guest orders
 * of the contact theirs in the same batch, with the details that they ask to save (docs/contract/storefront.md#guest-orders). One round trip.
 */
export async function logInWithContact(
  ctx: Pick<Context, "db" | "business" | "now" | "newId" | "wakeOutboxWorker">,
  { contact, loggedInId, sessionId, dependentWrites }: SessionProof,
): Promise<Customer> {
  const guestOrders = guestOrderRepo(ctx, contact);
  const { customer, results } = await verifyContact(ctx, {
    contact,
    loggedInId,
    dependentWrites: (owner) => [
      ...(dependentWrites?.(owner) ?? []),
      guestOrders.saveDetails(owner, sessionId),
      ...guestOrders.assignAll(owner),
    ],
  });
  const orderIds = results.at(-1);
  if (Array.isArray(orderIds) && orderIds.length > 0) ctx.wakeOutboxWorker();
  return customer;
}
