import type { CartRepo } from "../../../../shared/cart/index.ts";

export type CartTransaction = (change: () => void) => void;

/** All of a change to the object's storage or nothing; undone, the cart is read from storage again. */
export const cartTransaction =
  (storage: DurableObjectStorage, carts: CartRepo): CartTransaction =>
  (change) => {
    try {
      storage.transactionSync(change);
    } catch (error) {
      carts.forget();
      throw error;
    }
  };
