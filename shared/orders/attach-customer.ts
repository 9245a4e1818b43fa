import { customerRepo } from "../customers/index.ts";
import { commit } from "../database/index.ts";
import { conflict, notFound, Refusal } from "../kernel/index.ts";
import { demandFound } from "./attach-customer-repo.ts";
import { onLatest } from "./commit-order.ts";
import type { OrderContext } from "./context.ts";
import { orderEvent } from "./events.ts";
import { changedAt } from "./order.ts";
import type { PaidOrder } from "./record-repo.ts";
import { orderRepo } from "./repo.ts";

export type Attachment = Readonly<{
  customerId: string;
  /** The customer who is logged in where the call comes from. */
  loggedInId: string | null;
}>;

/**
 * Makes a guest's order a customer's (completions.md 6, POST /orders/{order_id}/customer): the one
 * who is logged in, or one who has verified the order's contact. Whether the caller may see the
 * order was decided before. The batch itself asks for the customer, so that one erased meanwhile
 * gets nothing.
 *
 * @throws Refusal NOT_FOUND for an unknown customer, FORBIDDEN for one whose order it is not,
 * CONFLICT when it is another's already.
 */
export const attachCustomer = (
  ctx: OrderContext,
  paid: PaidOrder,
  attachment: Attachment,
): Promise<PaidOrder> => onLatest(ctx, paid, (latest) => attach(ctx, latest, attachment));

async function attach(
  ctx: OrderContext,
  paid: PaidOrder,
  { customerId, loggedInId }: Attachment,
): Promise<PaidOrder> {
  const { id, customerId: owner, customerEmail, customerPhone } = paid.order;
  if (owner === customerId) return paid;
  if (owner !== null)
    throw await refusalFor(ctx, customerId, conflict("The order is another customer's."));
  const order = { ...changedAt(paid.order, ctx.now()), customerId };
  const query = customerRepo(ctx).attachable(customerId, {
    loggedInId,
    email: customerEmail,
    phone: customerPhone,
  });
  try {
    await commit(ctx, {
      writes: [demandFound(ctx, id, query), ...orderRepo(ctx).assign(order)],
      events: [orderEvent("order.updated", order)],
      refusals: { "orders.updated_at": notTheirs, "order_history.": changedMeanwhile },
    });
  } catch (error) {
    throw error instanceof Refusal && error.code === "FORBIDDEN"
      ? await refusalFor(ctx, customerId, error)
      : error;
  }
  const bookings = paid.bookings.map((booking) => ({ ...booking, customerId }));
  return { ...paid, order, bookings };
}

/** The refusal, unless there is no such customer: that one comes first. */
async function refusalFor(
  ctx: OrderContext,
  customerId: string,
  refusal: Refusal,
): Promise<Refusal> {
  const { erasedAt } = await customerRepo(ctx).get(customerId);
  return erasedAt === null ? refusal : notFound("customer");
}

const notTheirs = () =>
  new Refusal({
    code: "FORBIDDEN",
    message: "The order's contact is none that this customer has verified.",
  });

const changedMeanwhile = () =>
  conflict("The order changed meanwhile; try again.", { retryable: true });
