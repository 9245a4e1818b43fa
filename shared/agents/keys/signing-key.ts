import { day } from "../../kernel/index.ts";
import type { PublicJwk } from "../platform.ts";

/** A public key of a business, as its profile shows it. */
export type PublishedKey = Readonly<{
  kid: string;
  publicX: string;
  publicY: string;
  createdAt: number;
  /** When another key replaced it; null for the one key that signs. */
  retiredAt: number | null;
}>;

/** For this long a replaced key stays in the profile, so that what it has signed can be verified. */
export const retiredKeyTtlMs = 7 * day;

/** When a key leaves the profile; null while it signs. */
export const publishedUntil = ({ retiredAt }: Pick<PublishedKey, "retiredAt">): number | null =>
  retiredAt === null ? null : retiredAt + retiredKeyTtlMs;

export const toPublicJwk = ({ kid, publicX, publicY }: PublishedKey): PublicJwk => ({
  kid,
  kty: "EC",
  crv: "P-256",
  x: publicX,
  y: publicY,
  use: "sig",
  alg: "ES256",
});
