import { linkSessionRepo } from "../../../shared/link/index.ts";
import { area } from "../../http/app.ts";
import { publishableKey } from "../../http/authentication/access.ts";
import { flatContract } from "../../http/contract.ts";
import { keyAndSessionIfAny, linkSession, nobodys } from "../access.ts";
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
  told,
} from "../code-login.ts";
import { linkContext, sessionOf } from "../context.ts";
import type { LinkBindings } from "../env.ts";

/** interface.md, Link API: the OTP flow, and the session's tokens. */
export const auth = area<LinkBindings>()
  .openapi(
    flatContract("post", "/auth/request-otp", {
      summary: "Send a one-time code to a phone or an e-mail address",
      access: publishableKey,
      body: codeBody,
      answer: Told,
    }),
    async (c) => c.json(await sendLoginCode(c, c.req.valid("json")), 200),
  )
  .openapi(
    flatContract("post", "/auth/verify-otp", {
      summary:
        "Log in with the code; with a session_token beside it, a new contact joins its account",
      access: keyAndSessionIfAny,
      body: loginBody,
      answer: LoggedIn,
    }),
    async (c) => c.json(await logInWithCode(c, c.req.valid("json")), 200),
  )
  .openapi(
    flatContract("post", "/auth/logout", {
      summary: "End the session of the token",
      access: linkSession,
      answer: Told,
    }),
    async (c) => {
      const { session, account } = sessionOf(c);
      const { db, now } = linkContext(c);
      await linkSessionRepo(db).revoke({ accountId: account.id, sessionId: session.id }, now());
      return c.json(told("You are logged out."), 200);
    },
  )
  .openapi(
    flatContract("post", "/auth/refresh", {
      summary: "The next pair of tokens for a refresh_token, which works once",
      access: nobodys,
      body: refreshBody,
      answer: Refreshed,
      answersOf: "itself",
    }),
    async (c) => c.json(await refreshed(c, c.req.valid("json").refresh_token), 200),
  );
