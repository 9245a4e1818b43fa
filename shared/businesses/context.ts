import type { Context, Db } from "../database/index.ts";
import type { Business } from "./business.ts";

/** A context whose use case needs the business's settings or locations. */
export type ShopContext = Context & Readonly<{ business: Business }>;

/** A context that also reaches CORE, where the business itself, its keys and locations are kept. */
export type MerchantContext = ShopContext & Readonly<{ core: Db }>;

/** What reaches CORE as the operator, and a business once it is known which. */
export type OperatorContext = Readonly<{
  core: Db;
  contextIn: (business: Business) => ShopContext;
}>;
