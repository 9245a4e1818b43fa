import { z } from "@hono/zod-openapi";
import { orderTypes } from "../../shared/orders/index.ts";

/** The order types. `dine_in` and `walk_in` are accepted for `dine-in` and `walk-in`. */
export const orderType = z.preprocess(
  (value) => (typeof value === "string" ? value.replaceAll("_", "-") : value),
  z.enum(orderTypes),
);
