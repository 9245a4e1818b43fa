import {
  createStorefront,
  type Storefront,
  type StorefrontSchemas,
} from "../../../sdk/src/index.ts";
import type { Person } from "./people.ts";

/** Where the demo shop is, and the keys of its two APIs. */
export type DemoService = Readonly<{ origin: string; publicKey: string }>;

export type DemoShopper = Readonly<{ person: Person; storefront: Storefront }>;

type Schemas = StorefrontSchemas;

/** What a shopper puts into the cart. */
export type DemoLine = Schemas["AddCartItemRequest"];

/** A shopper with a session. All call from one address, so its rate limit is met often. */
export const createShopper = ({ origin, publicKey }: DemoService, person: Person): DemoShopper => ({
  person,
  storefront: createStorefront({ baseUrl: origin, publicKey, retries: 30 }),
});

/** Puts the lines into the shopper's cart and orders them. Returns the order's id. */
export async function placeOrder(
  { person, storefront }: DemoShopper,
  lines: readonly DemoLine[],
  fields: Omit<Schemas["Checkout"], "cart_id" | "customer">,
): Promise<string> {
  let cartId = "";
  for (const line of lines) cartId = (await storefront.cart.addItem(line)).data.id;
  const { data } = await storefront.checkout.placeOrder({
    cart_id: cartId,
    customer: person,
    ...fields,
  });
  return data.order_id;
}
