import type { CartContext } from "../cart/index.ts";
import type { FxContext } from "../fx/index.ts";
import type { OrderContext } from "../orders/index.ts";

export type CheckoutContext = CartContext & OrderContext & FxContext;
