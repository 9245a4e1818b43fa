import { createRoute, z } from "@hono/zod-openapi";
import { createRoutes } from "../../http/app.ts";
import {
  assertAccess,
  type CustomAccess,
  isAllowedOrigin,
  publishableKey,
} from "../../http/authentication/access.ts";
import { type RequestContext, requireKey } from "../../http/context.ts";
import { unwrappedRoute } from "../../http/contract.ts";
import { forbidden } from "../../http/errors.ts";
import { documentOperation, type OperationInfo } from "../../http/openapi/operation-info.ts";
import { checkUnknownInput } from "../../http/unknown-input/check-unknown-input.ts";
import { name, origin } from "../../wire/fields.ts";
import { anonymous } from "../access.ts";
import {
  codeBody,
  LoginResponse,
  logInWithCode,
  loginBody,
  MessageResponse,
  refreshBody,
  refreshTokens,
  sendLoginCode,
  TokensResponse,
} from "../code-login.ts";
import { frameKey, type pagePaths } from "../elements/access.ts";
import { accountPage, authPage, pageHeaders } from "../elements/page.ts";
import type { LinkBindings } from "../env.ts";

const pageQuery = z.object({ public_key: name(200), origin: origin() });

/** The publishable key is in the query, because a browser opens these pages without headers. */
const pageAccess: CustomAccess = {
  kind: "custom",
  security: [{}],
  responseStore: null,
  check: assertAccess(publishableKey),
};

const pageRoute = <P extends (typeof pagePaths)[number]>(path: P, operation: OperationInfo) =>
  createRoute({
    ...documentOperation(operation, { access: pageAccess, isRepeatable: false }),
    method: "get",
    path,
    middleware: [
      assertAccess(pageAccess),
      checkUnknownInput({ method: "get", request: { query: pageQuery }, response: z.string() }),
    ],
    request: { query: pageQuery },
    responses: {
      200: { description: operation.summary, content: { "text/html": { schema: z.string() } } },
    },
  });

/** Pages that other sites embed in frames, and the calls of those pages (docs/elements.md). */
export const elements = createRoutes<LinkBindings>()
  .openapi(
    pageRoute("/elements/auth", {
      operationId: "getAuthElement",
      tag: "Elements",
      summary: "Get a page for frames that logs in with a one-time code",
    }),
    (c) => {
      const origins = allowedFrameAncestors(c, c.req.valid("query").origin);
      return c.html(authPage.html, 200, pageHeaders(authPage, origins));
    },
  )
  .openapi(
    pageRoute("/elements/account", {
      operationId: "getAccountElement",
      tag: "Elements",
      summary: "Get a page for frames that shows a customer's saved data",
    }),
    (c) => {
      const origins = allowedFrameAncestors(c, c.req.valid("query").origin);
      return c.html(accountPage.html, 200, pageHeaders(accountPage, origins));
    },
  )
  .openapi(
    unwrappedRoute("post", "/elements/request-otp", {
      operationId: "requestElementOtp",
      tag: "Elements",
      summary: "Send a one-time code from an embedded frame",
      access: frameKey,
      body: codeBody,
      response: MessageResponse,
    }),
    async (c) => c.json(await sendLoginCode(c, c.req.valid("json")), 200),
  )
  .openapi(
    unwrappedRoute("post", "/elements/verify-otp", {
      operationId: "verifyElementOtp",
      tag: "Elements",
      summary: "Log in with a code from an embedded frame",
      access: frameKey,
      body: loginBody,
      response: LoginResponse,
    }),
    async (c) => c.json(await logInWithCode(c, c.req.valid("json")), 200),
  )
  .openapi(
    unwrappedRoute("post", "/elements/refresh", {
      operationId: "refreshElementTokens",
      tag: "Elements",
      summary: "Exchange a refresh_token for new tokens from an embedded frame",
      access: anonymous,
      body: refreshBody,
      response: TokensResponse,
      idempotency: { store: "domain" },
    }),
    async (c) => c.json(await refreshTokens(c, c.req.valid("json").refresh_token), 200),
  );

/**
 * The origins that may embed an element: the business's allowed_origins. When that list is empty, a
 * business in test mode allows `parent`.
 *
 * @throws Refusal FORBIDDEN when `parent` is not allowed.
 */
function allowedFrameAncestors(c: RequestContext, parent: string): readonly string[] {
  const { business } = requireKey(c);
  if (!isAllowedOrigin(business, parent)) {
    throw forbidden(`The origin ${parent} is not among the business's allowed_origins.`);
  }
  const { allowedOrigins } = business.settings;
  return allowedOrigins.length === 0 ? [parent] : allowedOrigins;
}
