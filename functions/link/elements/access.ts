import type { RequestContext } from "../../http/api-env.ts";
import type { OwnAccess } from "../../http/authentication/access.ts";
import { keyTextOf, publicKeyText } from "../../http/authentication/caller.ts";
import { keyed } from "../../http/context.ts";
import { forbidden, unauthorized } from "../../http/errors.ts";

/** Paths of the pages, which a browser opens without headers of ours: the key is in the address. */
export const pagePaths = ["/elements/auth", "/elements/account"] as const;

/** As on other surfaces; a page's publishable key is its query's `public_key`. */
export const keyTextOfLink =
  (prefix: string) =>
  (c: RequestContext): string | null => {
    const key = pagePaths.some((path) => c.req.path === prefix + path)
      ? c.req.query("public_key")
      : undefined;
    return key === undefined ? keyTextOf(c) : publicKeyText(key);
  };

/**
 * A publishable key, from a frame of this service: what a page elsewhere may do with a key is the
 * affair of /auth, where its business's allowed_origins count.
 */
export const keyOfFrame: OwnAccess = {
  kind: "own",
  security: [{ publishableKey: [] }],
  answersOf: null,
  demand(c, next) {
    if (keyed(c).key.kind !== "publishable")
      throw unauthorized("This call takes a publishable key.");
    const origin = c.req.header("origin");
    if (origin === undefined || origin === new URL(c.req.url).origin) return next();
    throw forbidden("This call is for the frames of this service; use /auth instead.");
  },
};
