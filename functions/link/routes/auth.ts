import { linkSessionRepo } from "../../../shared/link/index.ts";
import { createRoutes } from "../../http/app.ts";
import { publishableKey } from "../../http/authentication/access.ts";
import { unwrappedRoute } from "../../http/contract.ts";
import { anonymous, linkSessionRequired } from "../access.ts";
import {
  codeBody,
  LoginResponse,
  logInWithCode,
  loginBody,
  MessageResponse,
  messageResponse,
  refreshBody,
  refreshTokens,
  sendLoginCode,
  TokensResponse,
} from "../code-login.ts";
import { createLinkContext, requireLinkSession } from "../context.ts";
import type { LinkBindings } from "../env.ts";

/** Login with one-time codes, and session tokens (docs/contract/link.md#login). */
export const auth = createRoutes<LinkBindings>()
  .openapi(
    unwrappedRoute("post", "/auth/request-otp", {
      operationId: "requestOtp",
      tag: "Auth",
      summary: "Send a one-time code to a phone number or an e-mail address",
      access: publishableKey,
      body: codeBody,
      response: MessageResponse,
    }),
    async (c) => c.json(await sendLoginCode(c, c.req.valid("json")), 200),
  )
  .openapi(
    unwrappedRoute("post", "/auth/verify-otp", {
      operationId: "verifyOtp",
      tag: "Auth",
      summary: "Log in with a code",
      access: publishableKey,
      body: loginBody,
      response: LoginResponse,
    }),
    async (c) => c.json(await logInWithCode(c, c.req.valid("json")), 200),
  )
  .openapi(
    unwrappedRoute("post", "/auth/logout", {
      operationId: "logOut",
      tag: "Auth",
      summary: "End the session",
      access: linkSessionRequired,
      response: MessageResponse,
    }),
    async (c) => {
      const { session, account } = requireLinkSession(c);
      const { db, now } = createLinkContext(c);
      await linkSessionRepo(db).revoke({ accountId: account.id, sessionId: session.id }, now());
      return c.json(messageResponse("You are logged out."), 200);
    },
  )
  .openapi(
    unwrappedRoute("post", "/auth/refresh", {
      operationId: "refreshTokens",
      tag: "Auth",
      summary: "Exchange a refresh_token, which works once, for new tokens",
      access: anonymous,
      body: refreshBody,
      response: TokensResponse,
      idempotency: { store: "domain" },
    }),
    async (c) => c.json(await refreshTokens(c, c.req.valid("json").refresh_token), 200),
  );
