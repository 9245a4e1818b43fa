import type { Business } from "../../../shared/businesses/index.ts";
import type { Cart, NewItem } from "../../../shared/cart/index.ts";
import type { CheckoutRequest, CheckoutResult } from "../../../shared/checkout/index.ts";
import type { IdempotentCall } from "../../objects/remembered.ts";
import type { Reply } from "../../objects/reply.ts";

/** What every call brings along: whose shop it is, and which request it serves. */
export type SessionCall = Readonly<{
  business: Business;
  requestId: string;
  idempotent: IdempotentCall | null;
}>;

/** A checkout always runs under a key: the caller's, or one made for this one call. */
export type CheckoutCall = SessionCall & Readonly<{ idempotent: IdempotentCall }>;

export type CartWritten = Readonly<{ cart: Cart; lineId: string | null }>;

/** A session's object as it looks from outside: every answer is a promise. */
export type SessionObject = Readonly<{
  cart(): Promise<Cart>;
  addItem(call: SessionCall, item: NewItem): Promise<Reply<CartWritten>>;
  changeItem(
    call: SessionCall,
    item: { lineId: string; quantity: number },
  ): Promise<Reply<CartWritten>>;
  removeItem(call: SessionCall, lineId: string): Promise<Reply<CartWritten>>;
  clear(call: SessionCall): Promise<Reply<CartWritten>>;
  applyCoupon(call: SessionCall, code: string): Promise<Reply<CartWritten>>;
  removeCoupon(call: SessionCall): Promise<Reply<CartWritten>>;
  checkout(call: CheckoutCall, request: CheckoutRequest): Promise<Reply<CheckoutResult>>;
}>;
