import {
  type Cart,
  type CartContext,
  cartProductIds,
  couponCodesOf,
  findOffer,
  prefetchDeliveryOptions,
  prefetchTerms,
  unavailableLines,
} from "../../cart/index.ts";
import type { FreeAddress, Json } from "../../kernel/index.ts";
import type {
  AgentAddress,
  AgentCartRequest,
  AgentFulfilment,
  AgentSession,
} from "../agent-session.ts";
import { deliveryWishOf, selectedDestination, toFreeAddress } from "./delivery-wish.ts";
import { deliverCart } from "./price-request.ts";
import { itemUnavailable } from "./problems.ts";
import { itemIdOf } from "./requested-items.ts";
import { findShortages } from "./requested-lines.ts";
import { splitName } from "./split-name.ts";

/** What an agent or its buyer has chosen in a cart. It differs once the buyer changes the cart. */
export const choicesOf = ({ lines, coupons, delivery }: Cart): string =>
  JSON.stringify([
    lines.map(({ id, configuration, quantity }) => [id, configuration, quantity]),
    coupons.map(({ code }) => code),
    delivery && [delivery.type, delivery.optionId, delivery.address],
  ]);

type CartFacts = Pick<AgentSession, "deliveryOptions" | "coupons" | "problems" | "needsHandover">;

type AgentWrite = Readonly<{ request: AgentCartRequest; priced: Pick<AgentSession, "coupons"> }>;

/**
 * What an agent reads of a cart that its buyer has changed: the request that would lead to it, and
 * what follows from it. Reads as `priceAgentRequest`, and leaves the cart as it is.
 */
export async function followCart(
  ctx: CartContext,
  cart: Cart,
  { request, priced }: AgentWrite,
): Promise<Readonly<{ request: AgentCartRequest; priced: CartFacts }>> {
  const codes = couponCodesOf(cart);
  const fulfilment = fulfilmentOfCart(cart, request.fulfilment);
  const wish = deliveryWishOf(ctx.business, fulfilment);
  const products = await ctx.findProducts(cartProductIds(cart), codes, [
    ...prefetchTerms(ctx, cart),
    ...prefetchDeliveryOptions(ctx, cart, wish.place),
  ]);
  const { business } = ctx;
  const unavailable = unavailableLines(cart, { products, business, now: ctx.now() });
  const shortages = await findShortages(ctx, cart.lines, products);
  const offer = await findOffer(ctx, codes);
  const undelivered = { ...cart, delivery: null };
  const delivered = await deliverCart(ctx, undelivered, { wish, products, offer });
  const rejected = priced.coupons.filter(
    ({ code, rejection }) => rejection !== null && !codes.includes(code),
  );
  return {
    request: {
      ...request,
      lines: cart.lines.map((line) => ({
        ...{ itemId: itemIdOf(line), quantity: line.quantity, lineId: line.id },
      })),
      fulfilment,
      couponCodes: codes,
    },
    priced: {
      deliveryOptions: delivered.options,
      needsHandover: delivered.needsHandover,
      coupons: [...codes.map((code) => ({ code, rejection: null })), ...rejected],
      problems: [
        ...unavailable.map((line) => itemUnavailable(itemIdOf(line))),
        ...shortages,
        ...delivered.problems,
      ],
    },
  };
}

/** The id of the address that the buyer entered in the shop. */
const buyerDestinationId = "buyer";

/** How a cart is delivered; `sent` names the destinations that the agent knows. */
export function fulfilmentOfCart(
  { delivery }: Pick<Cart, "delivery">,
  sent: AgentFulfilment | null,
): AgentFulfilment | null {
  if (delivery === null) return sent && { ...sent, selectedOptionId: null };
  const { type, optionId: selectedOptionId, address } = delivery;
  if (type === "pickup") {
    return {
      ...{ type, destinations: [], selectedOptionId },
      selectedDestinationId: selectedOptionId,
    };
  }
  const known = sent?.type === "shipping" ? sent : null;
  const selected = known && selectedDestination(known);
  const isKnown = selected && JSON.stringify(toFreeAddress(selected.address)) === textOf(address);
  if (known && (isKnown || address === null)) return { ...known, selectedOptionId };
  const destinations =
    address === null ? [] : [{ id: buyerDestinationId, address: toAgentAddress(address) }];
  return {
    ...{ type: "shipping", destinations, selectedOptionId },
    selectedDestinationId: destinations[0]?.id ?? null,
  };
}

const textOf = (address: FreeAddress | null): string => JSON.stringify(address);

/** The address of the shop's own checkout with the parts that the protocol names. */
function toAgentAddress(address: FreeAddress): AgentAddress {
  const part = (value: Json | undefined) =>
    typeof value === "string" && value !== "" ? value : null;
  return {
    ...splitName(part(address.name)),
    phone: part(address.phone),
    street: part(address.street_address),
    extended: part(address.apartment),
    city: part(address.city),
    region: part(address.region),
    postalCode: part(address.postal_code),
    country: part(address.country),
  };
}
