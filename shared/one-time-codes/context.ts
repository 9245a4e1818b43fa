import type { Db } from "../database/index.ts";
import type { Mode, Runtime } from "../kernel/index.ts";

/**
 * What a code logs in to: a business's storefront, or Link. A code is valid for one audience only.
 * Test and live mode are different audiences, because everybody knows the test code.
 */
export type Audience = Readonly<{
  id: string;
  /** The shop's or Link's name, shown in the message with the code. */
  name: string;
  mode: Mode;
}>;

/** The audience of a business's storefront. Its codes are stored in the business's shard. */
export const storefrontAudience = (
  business: Readonly<{ id: string; name: string; mode: Mode }>,
): Audience => ({ id: business.id, name: business.name, mode: business.mode });

/** The audience of Link. Its codes are stored in CORE. `mode` is the mode of the API key. */
export const linkAudience = (mode: Mode): Audience => ({ id: `link:${mode}`, name: "Link", mode });

/**
 * The audience of the console. Its codes are stored in CORE. Mode test is for development, where
 * everybody may log in as everybody.
 */
export const consoleAudience = (mode: Mode): Audience => ({
  id: `console:${mode}`,
  name: "Duka",
  mode,
});

/** What finds the stored codes of a contact. */
export type CodeStore = Pick<CodeContext, "db" | "codes"> &
  Readonly<{ audience: Pick<Audience, "id"> }>;

export type CodeContext = Runtime &
  Readonly<{
    /** The primary copy of the database that has the audience's codes. */
    db: Db;
    audience: Audience;
    codes: Readonly<{
      /** The HMAC key for the digests of codes, contacts and IP addresses. */
      secret: string;
      /** How many codes one IP address may request per audience and hour. */
      perHourPerAddress: number;
    }>;
  }>;
