import { z } from "@hono/zod-openapi";
import { orderTypes } from "../../shared/orders/index.ts";

/** How an order reaches its customer; `dine_in` and `walk_in` are taken as well (completions.md 6). */
export const orderType = z.preprocess(
  (value) => (typeof value === "string" ? value.replaceAll("_", "-") : value),
  z.enum(orderTypes),
);
