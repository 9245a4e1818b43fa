import {
  type CustomAccess,
  publishableKeyOrEmpty,
  readApiKey,
} from "../../http/authentication/access.ts";
import { type RequestContext, requireKey } from "../../http/context.ts";
import { forbidden, unauthorized } from "../../http/errors.ts";

/** A browser opens these pages without custom headers, so their publishable key is in the query. */
export const pagePaths = ["/elements/auth", "/elements/account"] as const;

/** Reads the API key from the headers, and for an embedded page from `public_key` in the query. */
export const createKeyReader =
  (prefix: string) =>
  (c: RequestContext): string | null => {
    const key = pagePaths.some((path) => c.req.path === prefix + path)
      ? c.req.query("public_key")
      : undefined;
    return key === undefined ? readApiKey(c) : publishableKeyOrEmpty(key);
  };

/**
 * Requires a publishable key and refuses calls from pages of other origins. Those pages must call
 * /auth, which checks the business's allowed_origins.
 */
export const frameKey: CustomAccess = {
  kind: "custom",
  security: [{ publishableKey: [] }],
  responseStore: null,
  check(c, next) {
    if (requireKey(c).key.kind !== "publishable")
      throw unauthorized("This call requires a publishable key.");
    const origin = c.req.header("origin");
    if (origin === undefined || origin === new URL(c.req.url).origin) return next();
    throw forbidden("This call is for the frames of this service. Use /auth instead.");
  },
};
