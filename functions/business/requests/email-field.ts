import { z } from "@hono/zod-openapi";
import { normalizeEmail } from "../../../shared/customers/index.ts";

/** An e-mail address, in lower case once it is parsed. */
export const email = () =>
  z
    .string()
    .max(254)
    .transform((text, ctx) => {
      const address = normalizeEmail(text);
      if (address !== null) return address;
      ctx.addIssue({ code: "custom", message: "must be an e-mail address" });
      return z.NEVER;
    })
    .openapi({ example: "ama@example.com" });
