import type { Db } from "../database/index.ts";
import type { Mode, Runtime } from "../kernel/index.ts";

/**
 * Whom a code lets in where. A code of one audience is nothing in another: test and live must
 * never share an id, since everybody knows the code of test mode.
 */
export type Audience = Readonly<{
  id: string;
  /** As the message names it. */
  name: string;
  mode: Mode;
}>;

/** A business's storefront; its codes lie in the business's shard. */
export const storefrontAudience = (
  business: Readonly<{ id: string; name: string; mode: Mode }>,
): Audience => ({ id: business.id, name: business.name, mode: business.mode });

/** Link across businesses; its codes lie in CORE. `mode` is that of the key that asks. */
export const linkAudience = (mode: Mode): Audience => ({ id: `link:${mode}`, name: "Link", mode });

export type CodeContext = Runtime &
  Readonly<{
    /** The database that keeps the audience's codes, primary copy. */
    db: Db;
    audience: Audience;
    codes: Readonly<{
      /** Codes, contacts and addresses are stored as digests under it. */
      secret: string;
      /** Codes that one address may ask of an audience within an hour. */
      perHourPerAddress: number;
    }>;
  }>;
