import {
  type Business,
  type BusinessSchemas,
  createBusiness,
  createLink,
  createOperator as createOperatorClient,
  createStorefront,
  type Link,
  type Operator,
  type Storefront,
  type StorefrontSchemas,
} from "../../sdk/src/index.ts";
import { fetchAndCheck } from "./api-client.ts";
import { readOperatorToken } from "./dev-process.ts";
import { newBusiness } from "./request-bodies.ts";

export type PlacedOrder = Pick<
  StorefrontSchemas["CheckoutResult"],
  "order_id" | "order_number" | "bill_token"
>;

type ShopAccess = Readonly<{
  id: string;
  locationId: string;
  keys: Readonly<{ publishable: string; secret: string }>;
}>;

export type EndToEndShop = ShopAccess &
  Readonly<{
    merchant: Business;
    /** Creates a client with a session of its own. */
    shopper(): Storefront;
    link: Link;
    /** Reads an order from another session than the one that placed it. */
    readOrder(order: PlacedOrder): Promise<StorefrontSchemas["Order"]>;
  }>;

/** All tests call from one address, so its rate limit is met. */
const clientOf = (origin: string) => ({ baseUrl: origin, retries: 10, fetch: fetchAndCheck });

export const createOperator = (origin: string, token = readOperatorToken()): Operator =>
  createOperatorClient({ ...clientOf(origin), operatorToken: token });

/** A client of a customer at Link, of all businesses when there is no key. */
export const createCustomerLink = (
  origin: string,
  options: Readonly<{ publicKey?: string; sessionToken?: string }> = {},
): Link => createLink({ ...clientOf(origin), publicKey: "", ...options });

/** Creates a business as the operator, with clients for its keys. */
export async function createShop(
  origin: string,
  over: Partial<BusinessSchemas["CreateBusinessRequest"]> = {},
): Promise<EndToEndShop> {
  const { data } = await createOperator(origin).businesses.create({ ...newBusiness, ...over });
  const { business, location, keys } = data;
  return connectShop(origin, { id: business.id, locationId: location.id, keys });
}

/** Creates clients for the keys of a business. */
export function connectShop(origin: string, { id, locationId, keys }: ShopAccess): EndToEndShop {
  const client = { ...clientOf(origin), publicKey: keys.publishable };
  const shopper = () => createStorefront(client);
  return {
    id,
    locationId,
    keys,
    merchant: createBusiness({ ...clientOf(origin), businessId: id, secretKey: keys.secret }),
    shopper,
    link: createLink(client),
    readOrder: async ({ order_id, bill_token }) =>
      (await shopper().orders.get(order_id, { token: bill_token })).data,
  };
}
