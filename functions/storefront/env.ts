import type { SurfaceBindings } from "../http/surface-env.ts";
import type { CartSession } from "./objects/cart-session.ts";

export type StorefrontBindings = SurfaceBindings &
  Readonly<{
    FILES: R2Bucket;
    CART_SESSION: DurableObjectNamespace<CartSession>;
  }>;
