import type { SurfaceBindings } from "../http/surface-env.ts";
import type { CartSession } from "./objects/cart-session.ts";

/** An object's methods as they look from outside: every answer is a promise. */
type Remote<T> = {
  [Name in keyof T]: T[Name] extends (...args: infer Args) => infer Answer
    ? (...args: Args) => Promise<Awaited<Answer>>
    : never;
};

export type StorefrontBindings = SurfaceBindings &
  Readonly<{
    FILES: R2Bucket;
    CART_SESSION: Readonly<{
      getByName(
        name: string,
      ): Remote<Pick<CartSession, "cart" | "addItem" | "changeItem" | "removeItem" | "clear" | "checkout">>;
    }>;
  }>;
