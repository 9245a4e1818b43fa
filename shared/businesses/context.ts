import type { Context, Db } from "../database/index.ts";
import type { Business } from "./business.ts";

/** A context with the business's settings and locations. */
export type ShopContext = Context & Readonly<{ business: Business }>;

/** A context that can also write CORE, which stores the business, its keys and its locations. */
export type MerchantContext = ShopContext & Readonly<{ core: Db }>;

/** The operator's context: CORE, and a way to open the context of any business. */
export type OperatorContext = Readonly<{
  core: Db;
  contextFor: (business: Business) => ShopContext;
}>;
