import { defaultLocation } from "../businesses/index.ts";
import {
  type Cart,
  productIds,
  repriced,
  stockNeeds,
  totalsOf,
  unavailableLines,
} from "../cart/index.ts";
import { newToken, notFound, ruleBroken } from "../kernel/index.ts";
import type { Checkout, CheckoutRequest } from "./checkout.ts";
import type { CheckoutContext } from "./context.ts";

/** The plan, or the cart without the lines that cannot be bought any more. */
export type Planned =
  | Readonly<{ type: "planned"; checkout: Checkout }>
  | Readonly<{ type: "lines_gone"; cart: Cart; names: readonly string[] }>;

/**
 * Decides the whole sale before its first effect: prices of now, every id, the token. Nothing
 * outside has changed when it returns.
 *
 * @throws Refusal NOT_FOUND for a cart that is not this session's, CART_EMPTY,
 * PAYMENT_METHOD_UNAVAILABLE.
 */
export async function planCheckout(
  ctx: CheckoutContext,
  { cart, sessionId, request }: { cart: Cart; sessionId: string; request: CheckoutRequest },
): Promise<Planned> {
  if (request.cartId !== cart.id) throw notFound("cart");
  if (cart.lines.length === 0) throw ruleBroken("CART_EMPTY", "The cart is empty.");
  demandMethod(ctx, request.paymentMethod);
  const products = await ctx.findProducts(productIds(cart));
  const gone = unavailableLines(cart, products);
  if (gone.length > 0) {
    const lines = cart.lines.filter((line) => !gone.includes(line));
    const remaining = repriced({ ...cart, lines, updatedAt: ctx.now() }, products);
    return {
      type: "lines_gone",
      cart: remaining,
      names: gone.map(({ snapshot }) => snapshot.name),
    };
  }
  const current = repriced(cart, products);
  const plan = {
    orderId: ctx.newId("ord"),
    paymentId: ctx.newId("pt"),
    billToken: `bt_${newToken(ctx.random)}`,
    sessionId,
    locationId: defaultLocation(ctx.business).id,
    lines: current.lines.map((line) => ({ ...line, orderLineId: ctx.newId("li") })),
    totals: totalsOf(current, ctx.business.settings.tax),
    stock: [...stockNeeds(current.lines, products)],
    createdAt: ctx.now(),
  };
  return {
    type: "planned",
    checkout: {
      request,
      plan,
      orderNumber: null,
      reference: newReference(ctx),
      wasAsked: false,
      mustVerify: false,
      charge: null,
      isRecorded: false,
    },
  };
}

/** A reference is the provider's name for one charge; a declined charge is never tried under its own again. */
export const newReference = ({ random }: Pick<CheckoutContext, "random">): string =>
  `ref_${newToken(random)}`;

function demandMethod(ctx: CheckoutContext, method: string): void {
  const isOffered = ctx.business.settings.paymentMethods.some((offered) => offered === method);
  if (!isOffered || (method !== "cash" && ctx.providerFor(method) === null)) {
    throw ruleBroken("PAYMENT_METHOD_UNAVAILABLE", `This business does not take ${method}.`);
  }
}
