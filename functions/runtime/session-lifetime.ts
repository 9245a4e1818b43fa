import { day } from "../../shared/kernel/index.ts";

/** How long a shopper's session cookie is valid after its last use. */
export const sessionLifetimeMs = 30 * day;
