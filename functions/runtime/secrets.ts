import { hmacSha256 } from "../../shared/kernel/index.ts";
import type { Settings } from "./settings.ts";

type SecretPurpose =
  | "one-time codes"
  | "queued messages"
  | "link session tokens"
  | "link refresh tokens"
  | "link answers"
  | "link account ids"
  | "shopper answers"
  | "request fingerprints"
  | "file addresses"
  | "member answers"
  | "payment links"
  | "order links"
  | "unsubscribe links"
  | "hosted keys"
  | "platform tokens"
  | "agent hand-overs";

/** Derives a separate secret for each purpose from the deployment's secret. */
export const deriveSecret = (
  { sessionSecret }: Pick<Settings, "sessionSecret">,
  purpose: SecretPurpose,
): Promise<string> => hmacSha256(sessionSecret, purpose);
