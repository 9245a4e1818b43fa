import { createClient, dataOf, type EndToEndClient, type EndToEndResponse } from "./api-client.ts";
import { readOperatorToken } from "./dev-process.ts";
import { newBusiness } from "./request-bodies.ts";

export type PlacedOrder = Readonly<{ order_id: string; order_number: string; bill_token: string }>;

type ShopAccess = Readonly<{
  id: string;
  locationId: string;
  keys: Readonly<{ publishable: string; secret: string }>;
}>;

export type EndToEndShop = ShopAccess &
  Readonly<{
    /** Calls the business API with the secret key. */
    merchant: EndToEndClient;
    /** Calls the storefront API with the secret key. */
    backend: EndToEndClient;
    /** Creates a new session with the publishable key. */
    shopper(): EndToEndClient;
    /** Calls the Link API with the publishable key. */
    link: EndToEndClient;
    readOrder(order: PlacedOrder, path?: string): Promise<EndToEndResponse>;
  }>;

export const createOperator = (origin: string, token = readOperatorToken()): EndToEndClient =>
  createClient(`${origin}/v1/businesses`, { Authorization: `Bearer ${token}` });

/** Creates a business as the operator, with clients for its keys. */
export async function createShop(origin: string, over: object = {}): Promise<EndToEndShop> {
  const created = await createOperator(origin)("POST", "", { body: { ...newBusiness, ...over } });
  const { business, location, keys } = dataOf(created);
  return connectShop(origin, { id: business.id, locationId: location.id, keys });
}

/** Creates clients for the keys of a business. */
export function connectShop(origin: string, { id, locationId, keys }: ShopAccess): EndToEndShop {
  const shopper = () => createClient(`${origin}/api/v1`, { "X-Public-Key": keys.publishable });
  return {
    id,
    locationId,
    keys,
    merchant: createClient(`${origin}/v1/businesses/${id}`, { "X-API-Key": keys.secret }),
    backend: createClient(`${origin}/api/v1`, { "X-API-Key": keys.secret }),
    shopper,
    link: createClient(`${origin}/v1/link`, { "X-Public-Key": keys.publishable }),
    readOrder: ({ order_id, bill_token }, path = "") =>
      shopper()("GET", `/orders/${order_id}${path}?token=${bill_token}`),
  };
}
