import { z } from "@hono/zod-openapi";
import type { Contact } from "../../../../shared/customers/index.ts";
import { invalid, sha256 } from "../../../../shared/kernel/index.ts";
import {
  consoleSessionRepo,
  lastOwner,
  listMemberships,
  logInWithEmail,
  userRepo,
} from "../../../../shared/members/index.ts";
import { forgetKnownNetworks, redeemCode } from "../../../../shared/one-time-codes/index.ts";
import { createRoutes } from "../../../http/app.ts";
import { readConsoleToken } from "../../../http/authentication/console-cookie.ts";
import {
  contactFields,
  createCodeContext,
  parseContact,
  sendCode,
} from "../../../http/authentication/one-time-codes.ts";
import { envelope, requireJson, route } from "../../../http/contract.ts";
import { callerNetwork } from "../../../http/rate-limits/rate-limit.ts";
import { text } from "../../../wire/fields.ts";
import { SentCodeView, viewSentCode } from "../../../wire/views/sent-code.ts";
import {
  clearLoginCookie,
  consoleCodes,
  consoleLogin,
  createConsoleContext,
  loginAccess,
  logoutAccess,
  requireConsoleSession,
  sendLoginCookie,
} from "../../console-access.ts";
import type { BusinessBindings } from "../../env.ts";
import { MeView, viewMe } from "../../views/console/me.ts";

const { contact: contactField } = contactFields;

/** Codes go to e-mail addresses only, because invitations do. @throws Refusal VALIDATION_ERROR. */
function parseEmailContact(contact: string): Contact {
  if (!contact.includes("@")) throw invalid("contact", "must be an e-mail address");
  return parseContact({ contact }, { defaultCountry: "" });
}

/** The login at the console (docs/contract/members.md#console-login). */
export const consoleAuth = createRoutes<BusinessBindings>()
  .openapi(
    route("post", "/v1/console/auth/request-otp", {
      operationId: "requestOtp",
      tag: "Auth",
      summary: "Send a one-time code to an e-mail address",
      description: "The answer is the same for every address.",
      access: loginAccess,
      body: requireJson(z.object({ contact: contactField })),
      response: SentCodeView,
    }),
    async (c) => {
      const contact = parseEmailContact(c.req.valid("json").contact);
      return c.json(envelope(viewSentCode(await sendCode(c, consoleCodes(c), contact))), 200);
    },
  )
  .openapi(
    route("post", "/v1/console/auth/verify-otp", {
      operationId: "verifyOtp",
      tag: "Auth",
      summary: "Log in with a one-time code, and accept the address's invitations",
      description: "Sets the cookie __Host-console. The login of an earlier cookie ends.",
      access: loginAccess,
      body: requireJson(z.object({ contact: contactField, otp_code: text(6).min(4) })),
      response: MeView,
    }),
    async (c) => {
      const { contact: typed, otp_code: code } = c.req.valid("json");
      const contact = parseEmailContact(typed);
      await redeemCode(await createCodeContext(c, consoleCodes(c)), {
        contact,
        code,
        network: callerNetwork(c),
      });
      const oldToken = readConsoleToken(c);
      const login = { email: contact.value, oldToken };
      const { token, ...me } = await logInWithEmail(createConsoleContext(c), login);
      sendLoginCookie(c, token);
      return c.json(envelope(viewMe(me)), 200);
    },
  )
  .openapi(
    route("post", "/v1/console/auth/logout", {
      operationId: "logOut",
      tag: "Auth",
      summary: "Log out",
      access: logoutAccess,
      response: z.null(),
    }),
    async (c) => {
      const token = readConsoleToken(c);
      if (token !== null) {
        const { core } = createConsoleContext(c);
        await core.batch([consoleSessionRepo(core).delete(await sha256(token))]);
      }
      clearLoginCookie(c);
      return c.json(envelope(null), 200);
    },
  )
  .openapi(
    route("get", "/v1/console/me", {
      operationId: "getMe",
      tag: "Me",
      summary: "Get the person who is logged in, with the businesses and roles",
      access: consoleLogin,
      response: MeView,
    }),
    async (c) => {
      const { user } = requireConsoleSession(c);
      const memberships = await listMemberships(createConsoleContext(c), user.id);
      return c.json(envelope(viewMe({ user, memberships })), 200);
    },
  )
  .openapi(
    route("delete", "/v1/console/me", {
      operationId: "deleteMe",
      tag: "Me",
      summary: "Delete the login with its memberships, passkeys and sessions",
      description: "Afterwards the cookie is worth nothing.",
      access: { ...consoleLogin, responseStore: null },
      rules: ["LAST_OWNER"],
      response: z.null(),
    }),
    async (c) => {
      const { user } = requireConsoleSession(c);
      const { core } = createConsoleContext(c);
      const contact: Contact = { type: "email", value: user.email };
      const codes = await createCodeContext(c, { ...consoleCodes(c), db: core });
      const [deleted] = await core.batch([
        userRepo(core).deleteQuery(user.id),
        ...(await forgetKnownNetworks(codes, contact)),
      ]);
      if (deleted.length === 0) throw lastOwner();
      clearLoginCookie(c);
      return c.json(envelope(null), 200);
    },
  );
