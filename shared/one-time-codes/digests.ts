import type { Contact } from "../customers/index.ts";
import { hmacSha256 } from "../kernel/index.ts";
import type { CodeStore } from "./context.ts";

type DigestContext = Pick<CodeStore, "audience" | "codes">;

/**
 * Computes a digest with a secret key: without a key, trying all million codes would reveal the
 * code. The digest includes audience and contact, so that equal codes have different digests.
 */
const digestParts = (
  { audience, codes }: DigestContext,
  kind: string,
  ...parts: string[]
): Promise<string> => hmacSha256(codes.secret, JSON.stringify([kind, audience.id, ...parts]));

export const digestContact = (ctx: DigestContext, { type, value }: Contact): Promise<string> =>
  digestParts(ctx, "contact", type, value);

export const digestCode = (
  ctx: DigestContext,
  { type, value }: Contact,
  code: string,
): Promise<string> => digestParts(ctx, "code", type, value, code);

export const digestNetwork = (ctx: DigestContext, network: string): Promise<string> =>
  digestParts(ctx, "address", network);
