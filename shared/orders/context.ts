import type { ShopContext } from "../businesses/index.ts";
import type { ProviderLookup } from "../payments/index.ts";

/** The context of use cases that change orders and payments. */
export type OrderContext = ShopContext & Readonly<{ providers: ProviderLookup }>;
