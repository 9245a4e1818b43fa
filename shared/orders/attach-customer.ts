import { customerRepo } from "../customers/index.ts";
import { commit } from "../database/index.ts";
import { conflict, notFound, Refusal } from "../kernel/index.ts";
import { retryOrderChange } from "./commit-order.ts";
import type { OrderContext } from "./context.ts";
import { orderEvent } from "./events.ts";
import { nextVersion } from "./order.ts";
import type { OrderDetails } from "./order-details-query.ts";
import { orderRepo } from "./repo.ts";

type CustomerAttachment = Readonly<{
  customerId: string;
  /** The customer who is logged in on the session that makes the call. Null for a guest. */
  loggedInId: string | null;
}>;

/**
 * Assigns a guest's order to a customer who is logged in, or who has verified the order's phone or
 * e-mail. The caller has checked access to the order. The batch checks the customer again, because
 * the customer may be erased meanwhile.
 *
 * @throws Refusal NOT_FOUND for an unknown customer, FORBIDDEN when the customer may not claim the
 *   order, CONFLICT when it belongs to another customer.
 */
export const attachCustomer = (
  ctx: OrderContext,
  details: OrderDetails,
  attachment: CustomerAttachment,
): Promise<OrderDetails> =>
  retryOrderChange(ctx, details, (latest) => attachOnce(ctx, latest, attachment));

async function attachOnce(
  ctx: OrderContext,
  details: OrderDetails,
  { customerId, loggedInId }: CustomerAttachment,
): Promise<OrderDetails> {
  const { customerId: currentCustomerId, customerEmail, customerPhone } = details.order;
  if (currentCustomerId === customerId) return details;
  if (currentCustomerId !== null)
    throw await notFoundOr(ctx, customerId, conflict("The order belongs to another customer."));
  const order = { ...nextVersion(details.order, ctx.now()), customerId };
  const allowedBy = customerRepo(ctx).attachableQuery(customerId, {
    loggedInId,
    email: customerEmail,
    phone: customerPhone,
  });
  try {
    await commit(ctx, {
      writes: orderRepo(ctx).assignCustomer(order, allowedBy),
      events: [orderEvent("order.updated", order)],
      refusals: { "orders.updated_at": contactNotVerified, "order_history.version": orderChanged },
    });
  } catch (error) {
    throw error instanceof Refusal && error.code === "FORBIDDEN"
      ? await notFoundOr(ctx, customerId, error)
      : error;
  }
  const bookings = details.bookings.map((booking) => ({ ...booking, customerId }));
  return { ...details, order, bookings };
}

/** Returns NOT_FOUND for an unknown or erased customer. Otherwise returns `refusal`. */
async function notFoundOr(
  ctx: OrderContext,
  customerId: string,
  refusal: Refusal,
): Promise<Refusal> {
  const { erasedAt } = await customerRepo(ctx).get(customerId);
  return erasedAt === null ? refusal : notFound("customer");
}

const contactNotVerified = () =>
  new Refusal({
    code: "FORBIDDEN",
    message: "The customer has not verified the order's phone or e-mail.",
  });

const orderChanged = () => conflict("The order changed meanwhile; try again.", { retryable: true });
