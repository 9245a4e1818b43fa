import { createRoute, z } from "@hono/zod-openapi";
import type { RequestContext } from "../../http/api-env.ts";
import { area } from "../../http/app.ts";
import { demand, isAllowedOrigin, publishableKey } from "../../http/authentication/access.ts";
import { keyed } from "../../http/context.ts";
import { flatContract, refusedResponse } from "../../http/contract.ts";
import { forbidden } from "../../http/errors.ts";
import { name, origin } from "../../wire/fields.ts";
import { nobodys } from "../access.ts";
import {
  codeBody,
  LoggedIn,
  logInWithCode,
  loginBody,
  Refreshed,
  refreshBody,
  refreshed,
  sendLoginCode,
  Told,
} from "../code-login.ts";
import { keyOfFrame, type pagePaths } from "../elements/access.ts";
import { accountPage, authPage, headersOf } from "../elements/page.ts";
import type { LinkBindings } from "../env.ts";

const pageRow = <P extends (typeof pagePaths)[number]>(path: P, summary: string) =>
  createRoute({
    method: "get",
    path,
    summary,
    security: [{}], // the key is in the query
    middleware: [demand(publishableKey)],
    request: { query: z.object({ public_key: name(200), origin: origin() }) },
    responses: {
      200: { description: summary, content: { "text/html": { schema: z.string() } } },
      default: refusedResponse,
    },
  });

/** interface.md, Authentication 6: frames in pages of other origins (docs/elements.md). */
export const elements = area<LinkBindings>()
  .openapi(pageRow("/elements/auth", "A framed page that logs in with a one-time code"), (c) => {
    const origins = ancestorsOf(c, c.req.valid("query").origin);
    return c.html(authPage.html, 200, headersOf(authPage, origins));
  })
  .openapi(pageRow("/elements/account", "A framed page of what a customer has saved"), (c) => {
    const origins = ancestorsOf(c, c.req.valid("query").origin);
    return c.html(accountPage.html, 200, headersOf(accountPage, origins));
  })
  .openapi(
    flatContract("post", "/elements/request-otp", {
      summary: "As /auth/request-otp, for embedded frames",
      access: keyOfFrame,
      body: codeBody,
      answer: Told,
    }),
    async (c) => c.json(await sendLoginCode(c, c.req.valid("json")), 200),
  )
  .openapi(
    flatContract("post", "/elements/verify-otp", {
      summary: "As /auth/verify-otp, for embedded frames",
      access: keyOfFrame,
      body: loginBody,
      answer: LoggedIn,
    }),
    async (c) => c.json(await logInWithCode(c, c.req.valid("json")), 200),
  )
  .openapi(
    flatContract("post", "/elements/refresh", {
      summary: "As /auth/refresh, for embedded frames",
      access: nobodys,
      body: refreshBody,
      answer: Refreshed,
      answersOf: "itself",
    }),
    async (c) => c.json(await refreshed(c, c.req.valid("json").refresh_token), 200),
  );

/**
 * Whose pages may frame an element that talks with `parent`: the business's allowed_origins; in
 * test mode, where an empty list allows all, the one that asks.
 *
 * @throws Refusal FORBIDDEN when the parent is none of them.
 */
function ancestorsOf(c: RequestContext, parent: string): readonly string[] {
  const { business } = keyed(c);
  if (!isAllowedOrigin(business, parent)) {
    throw forbidden(`The origin ${parent} is not among the business's allowed_origins.`);
  }
  const { allowedOrigins } = business.settings;
  return allowedOrigins.length === 0 ? [parent] : allowedOrigins;
}
