import type { Db } from "../database/index.ts";
import type { Mode, Runtime } from "../kernel/index.ts";

/**
 * The storefront or Link mode that a code logs in to. A code of one audience is worthless in
 * another, so test and live never share an id: the test code is public.
 */
export type Audience = Readonly<{
  id: string;
  /** The shop's or Link's name, shown in the message with the code. */
  name: string;
  mode: Mode;
}>;

/** A business's storefront; its codes are stored in the business's shard. */
export const storefrontAudience = (
  business: Readonly<{ id: string; name: string; mode: Mode }>,
): Audience => ({ id: business.id, name: business.name, mode: business.mode });

/** Link across businesses; its codes are stored in CORE. `mode` is the mode of the API key. */
export const linkAudience = (mode: Mode): Audience => ({ id: `link:${mode}`, name: "Link", mode });

export type CodeContext = Runtime &
  Readonly<{
    /** The database of the audience's codes, primary copy. */
    db: Db;
    audience: Audience;
    codes: Readonly<{
      /** The key of the digests that codes, contacts and addresses are stored as. */
      secret: string;
      /** Codes that one IP address may request per audience and hour. */
      perHourPerAddress: number;
    }>;
  }>;
