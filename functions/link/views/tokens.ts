import { z } from "@hono/zod-openapi";
import { second } from "../../../shared/kernel/index.ts";
import { type IssuedTokens, sessionTokenLifetimeMs } from "../../../shared/link/index.ts";
import type { Settings } from "../../runtime/settings.ts";
import { signSessionToken } from "../session-token.ts";

export const tokenFields = {
  session_token: z.string().openapi({ description: "Bearer token, lnk_…" }),
  refresh_token: z.string().openapi({ description: "rfr_…, 30 days; works once." }),
  expires_in: z.number().int().openapi({ description: "Seconds of the session_token." }),
};

const Tokens = z.object(tokenFields);

/** A session's pair of tokens, the first of them signed here. */
export const viewTokens = async (
  settings: Settings,
  issued: IssuedTokens,
): Promise<z.infer<typeof Tokens>> => ({
  session_token: await signSessionToken(settings, issued),
  refresh_token: issued.refreshToken,
  expires_in: sessionTokenLifetimeMs / second,
});
