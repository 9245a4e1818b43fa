import type { ShopContext } from "../businesses/index.ts";
import type { ProviderFor } from "../payments/index.ts";

/** What a use case on orders and their money may reach. */
export type OrderContext = ShopContext & Readonly<{ providerFor: ProviderFor }>;
