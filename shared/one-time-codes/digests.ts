import type { Contact } from "../customers/index.ts";
import { hmacSha256 } from "../kernel/index.ts";
import type { CodeContext } from "./context.ts";
import { networkOf } from "./network.ts";

type Keyed = Pick<CodeContext, "audience" | "codes">;

/**
 * A million codes are soon tried: without the deployment's secret a stored digest tells nothing of
 * its code, contact or address. Audience and contact are a code's salt.
 */
const digest = ({ audience, codes }: Keyed, kind: string, ...parts: string[]): Promise<string> =>
  hmacSha256(codes.secret, JSON.stringify([kind, audience.id, ...parts]));

export const contactDigest = (ctx: Keyed, { type, value }: Contact): Promise<string> =>
  digest(ctx, "contact", type, value);

export const codeDigest = (ctx: Keyed, { type, value }: Contact, code: string): Promise<string> =>
  digest(ctx, "code", type, value, code);

export const addressDigest = (ctx: Keyed, address: string): Promise<string> =>
  digest(ctx, "address", networkOf(address));
