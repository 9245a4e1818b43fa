import type { Context } from "../database/index.ts";
import type { Business } from "./business.ts";

/** A context whose use case needs the business's settings or locations. */
export type ShopContext = Context & Readonly<{ business: Business }>;
