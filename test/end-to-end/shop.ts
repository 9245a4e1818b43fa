import { type Answer, type Caller, callerAt, done } from "./caller.ts";
import { newBusiness } from "./goods.ts";
import { operatorToken } from "./service.ts";

export type Order = Readonly<{ order_id: string; order_number: string; bill_token: string }>;

export type Shop = Readonly<{
  id: string;
  locationId: string;
  keys: Readonly<{ publishable: string; secret: string }>;
  /** On the business's surface, with its secret key. */
  merchant: Caller;
  /** On the storefront's surface, with the same key. */
  backend: Caller;
  /** A new visitor with the publishable key. */
  shopper(): Caller;
  /** The same key on Link's surface. */
  link: Caller;
  readOrder(order: Order, path?: string): Promise<Answer>;
}>;

export const operatorAt = (origin: string, token = operatorToken()): Caller =>
  callerAt(`${origin}/v1/businesses`, { Authorization: `Bearer ${token}` });

/** A business as the operator creates it, with callers for its keys. */
export async function openShop(origin: string, over: object = {}): Promise<Shop> {
  const created = await operatorAt(origin)("POST", "", { body: { ...newBusiness, ...over } });
  const { business, location, keys } = done(created);
  const shopper = () => callerAt(`${origin}/api/v1`, { "X-Public-Key": keys.publishable });
  return {
    id: business.id,
    locationId: location.id,
    keys,
    merchant: callerAt(`${origin}/v1/businesses/${business.id}`, { "X-API-Key": keys.secret }),
    backend: callerAt(`${origin}/api/v1`, { "X-API-Key": keys.secret }),
    shopper,
    link: callerAt(`${origin}/v1/link`, { "X-Public-Key": keys.publishable }),
    readOrder: ({ order_id, bill_token }, path = "") =>
      shopper()("GET", `/orders/${order_id}${path}?token=${bill_token}`),
  };
}
