import { z } from "@hono/zod-openapi";
import { notFound } from "../../../../shared/kernel/index.ts";
import {
  createLoginOptions,
  createRegistrationOptions,
  logInWithPasskey,
  passkeyRepo,
  type RelyingParty,
  registerPasskey,
} from "../../../../shared/members/index.ts";
import { createRoutes } from "../../../http/app.ts";
import { readConsoleToken } from "../../../http/authentication/console-cookie.ts";
import type { RequestContext } from "../../../http/context.ts";
import { envelope, requireJson, route } from "../../../http/contract.ts";
import { freeObject, id, name } from "../../../wire/fields.ts";
import {
  consoleLogin,
  createConsoleContext,
  loginAccess,
  requireConsoleSession,
  sendLoginCookie,
} from "../../console-access.ts";
import { MeView, viewMe } from "../../views/console/me.ts";
import {
  LoginOptionsView,
  PasskeyView,
  RegistrationOptionsView,
  viewLoginOptions,
  viewPasskey,
  viewRegistrationOptions,
} from "../../views/console/passkey.ts";

const path = "/v1/console/auth/passkeys";

const PasskeyBody = z.object({
  response: freeObject().openapi({
    description: "What startRegistration or startAuthentication of @simplewebauthn/browser gives.",
  }),
  name: name(100).nullish(),
});

const relyingPartyOf = (c: RequestContext): RelyingParty => new URL(c.req.url);

/** Logins without a code (docs/contract/members.md#passkeys). */
export const passkeyRoutes = createRoutes()
  .openapi(
    route("post", `${path}/register-options`, {
      operationId: "createPasskeyOptions",
      tag: "Passkeys",
      summary: "Get the options with which a browser creates a passkey",
      access: { ...consoleLogin, responseStore: null },
      response: RegistrationOptionsView,
    }),
    async (c) => {
      const { user } = requireConsoleSession(c);
      const ctx = createConsoleContext(c);
      const options = await createRegistrationOptions(ctx, user, relyingPartyOf(c));
      return c.json(envelope(viewRegistrationOptions(options)), 200);
    },
  )
  .openapi(
    route("post", `${path}/register`, {
      operationId: "registerPasskey",
      tag: "Passkeys",
      summary: "Store the passkey that a browser has created",
      access: { ...consoleLogin, responseStore: null },
      rules: ["PASSKEY_LIMIT"],
      body: requireJson(PasskeyBody),
      response: PasskeyView,
      status: 201,
    }),
    async (c) => {
      const { response, name } = c.req.valid("json");
      const { user } = requireConsoleSession(c);
      const registration = { response, name: name ?? "Passkey", relyingParty: relyingPartyOf(c) };
      const passkey = await registerPasskey(createConsoleContext(c), user, registration);
      return c.json(envelope(viewPasskey(passkey)), 201);
    },
  )
  .openapi(
    route("post", `${path}/login-options`, {
      operationId: "createPasskeyLoginOptions",
      tag: "Passkeys",
      summary: "Get the options with which a browser logs in",
      access: loginAccess,
      response: LoginOptionsView,
    }),
    async (c) => {
      const options = await createLoginOptions(createConsoleContext(c), relyingPartyOf(c));
      return c.json(envelope(viewLoginOptions(options)), 200);
    },
  )
  .openapi(
    route("post", `${path}/login`, {
      operationId: "logInWithPasskey",
      tag: "Passkeys",
      summary: "Log in with a passkey",
      description: "Sets the cookie __Host-console. The login of an earlier cookie ends.",
      access: loginAccess,
      body: requireJson(PasskeyBody),
      response: MeView,
    }),
    async (c) => {
      const { response } = c.req.valid("json");
      const oldToken = readConsoleToken(c);
      const login = { response, oldToken, relyingParty: relyingPartyOf(c) };
      const { token, ...me } = await logInWithPasskey(createConsoleContext(c), login);
      sendLoginCookie(c, token);
      return c.json(envelope(viewMe(me)), 200);
    },
  )
  .openapi(
    route("get", path, {
      operationId: "listPasskeys",
      tag: "Passkeys",
      summary: "List the passkeys of the login, newest first",
      access: consoleLogin,
      response: z.array(PasskeyView),
    }),
    async (c) => {
      const { core } = createConsoleContext(c);
      const records = await passkeyRepo(core).listQuery(requireConsoleSession(c).user.id);
      return c.json(envelope(records.map(viewPasskey)), 200);
    },
  )
  .openapi(
    route("delete", `${path}/{passkey_id}`, {
      operationId: "deletePasskey",
      tag: "Passkeys",
      summary: "Delete a passkey, which logs nobody in any more",
      access: consoleLogin,
      params: z.object({ passkey_id: id() }),
      response: PasskeyView,
    }),
    async (c) => {
      const { core } = createConsoleContext(c);
      const { id: userId } = requireConsoleSession(c).user;
      const passkey = await passkeyRepo(core).delete(userId, c.req.valid("param").passkey_id);
      if (passkey === null) throw notFound("passkey");
      return c.json(envelope(viewPasskey(passkey)), 200);
    },
  );
