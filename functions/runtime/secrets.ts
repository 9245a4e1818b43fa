import { hmacSha256 } from "../../shared/kernel/index.ts";
import type { Settings } from "./settings.ts";

type Purpose =
  | "one-time codes"
  | "queued messages"
  | "link session tokens"
  | "link refresh tokens"
  | "link answers"
  | "shopper answers"
  | "request fingerprints"
  | "file addresses";

/** A secret of its own for each purpose, all of them from the deployment's one. */
export const secretFor = (
  { sessionSecret }: Pick<Settings, "sessionSecret">,
  purpose: Purpose,
): Promise<string> => hmacSha256(sessionSecret, purpose);
