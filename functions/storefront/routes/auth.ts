import { z } from "@hono/zod-openapi";
import {
  type Customer,
  loginEndedRefusal,
  loginRepo,
  normalizeEmail,
  normalizePhone,
  type ProfilePatch,
  updateProfile,
} from "../../../shared/customers/index.ts";
import { invalid, iso } from "../../../shared/kernel/index.ts";
import { redeemCode, storefrontAudience } from "../../../shared/one-time-codes/index.ts";
import { createRoutes } from "../../http/app.ts";
import { publishableKey as access } from "../../http/authentication/access.ts";
import {
  contactFields,
  createCodeContext,
  parseContact,
  sendCode,
} from "../../http/authentication/one-time-codes.ts";
import { createContext, requireKey } from "../../http/context.ts";
import { envelope, requireJson, route } from "../../http/contract.ts";
import { unauthorized } from "../../http/errors.ts";
import { callerNetwork } from "../../http/rate-limits/rate-limit.ts";
import { id, name, text } from "../../wire/fields.ts";
import { CustomerView, viewCustomer } from "../../wire/views/customer.ts";
import { SentCodeView, viewSentCode } from "../../wire/views/sent-code.ts";
import {
  callExistingSession,
  clearSessionCookie,
  createSession,
  loadLogin,
} from "../caller-session.ts";
import type { StorefrontBindings, StorefrontContext } from "../env.ts";
import { logIn } from "../log-in.ts";
import { storeBySession } from "../response-stores.ts";
import { hasSessionCookie } from "../session-token.ts";
import { AuthStatusView } from "../views/auth.ts";

const ProfileBody = z.object({
  name: name().optional(),
  email: text(254).optional(),
  phone: text(40).optional(),
});

const expiresAt = z.string().openapi({ description: "When the session's token ends." });

/** The calls with which a shopper logs in and out (docs/contract/storefront.md#login-calls). */
export const auth = createRoutes<StorefrontBindings>()
  .openapi(
    route("post", "/sessions", {
      operationId: "createSession",
      tag: "Auth",
      summary: "Start an anonymous session without a cookie",
      access,
      response: z.object({ session_token: z.string(), expires_at: expiresAt }),
    }),
    async (c) => {
      const { session, token } = await createSession(c);
      const started = { session_token: token, expires_at: iso(session.expiresAt) };
      return c.json(envelope(started), 200);
    },
  )
  .openapi(
    route("get", "/auth/status", {
      operationId: "getAuthStatus",
      tag: "Auth",
      summary: "Get the logged-in customer",
      access,
      session: "optional",
      response: AuthStatusView,
    }),
    async (c) => {
      const existing = await callExistingSession(c, "getLogin", null);
      const login = existing?.result ?? null;
      const customer = login && (await loginRepo(createContext(c, anonymous)).find(login));
      const status = {
        is_authenticated: customer !== null,
        customer: customer && viewCustomer(customer),
        session_expires_at: existing && iso(existing.session.expiresAt),
      };
      return c.json(envelope(status), 200);
    },
  )
  .openapi(
    route("post", "/auth/request-otp", {
      operationId: "requestOtp",
      tag: "Auth",
      summary: "Send a one-time code to a phone number or e-mail address",
      access,
      body: requireJson(z.object(contactFields)),
      response: SentCodeView,
    }),
    async (c) => {
      const contact = parseContact(c.req.valid("json"), requireKey(c).business);
      return c.json(envelope(viewSentCode(await sendCode(c, codeStoreFor(c), contact))), 200);
    },
  )
  .openapi(
    route("post", "/auth/verify-otp", {
      operationId: "verifyOtp",
      tag: "Auth",
      summary: "Log in with a one-time code",
      description: "The session gets a new token and keeps its cart.",
      access,
      session: "starts",
      body: requireJson(
        z.object({
          ...contactFields,
          otp_code: text(6).min(4),
          socket_id: id().nullish().openapi({
            description: "The support socket of this browser, which the login keeps open.",
          }),
        }),
      ),
      response: z.object({
        customer: CustomerView,
        session: z.object({
          expires_at: expiresAt,
          session_token: z.string().optional().openapi({
            description: "The session's new token, for callers that sent no cookie.",
          }),
        }),
      }),
    }),
    async (c) => {
      const body = c.req.valid("json");
      const contact = parseContact(body, requireKey(c).business);
      await redeemCode(await createCodeContext(c, codeStoreFor(c)), {
        contact,
        code: body.otp_code,
        network: callerNetwork(c),
      });
      const { customer, signed } = await logIn(c, { contact, socketId: body.socket_id ?? null });
      const loggedIn = {
        customer: viewCustomer(customer),
        session: {
          expires_at: iso(signed.session.expiresAt),
          ...(!hasSessionCookie(c) && { session_token: signed.token }),
        },
      };
      return c.json(envelope(loggedIn), 200);
    },
  )
  .openapi(
    route("post", "/auth/logout", {
      operationId: "logOut",
      tag: "Auth",
      summary: "Log out, which ends the session and its cart",
      access,
      session: "optional",
      response: z.null(),
    }),
    async (c) => {
      await callExistingSession(c, "logOut", null);
      clearSessionCookie(c);
      return c.json(envelope(null), 200);
    },
  )
  .openapi(
    route("post", "/auth/profile", {
      operationId: "updateProfile",
      tag: "Auth",
      summary: "Change the customer's name, e-mail address or phone number",
      access,
      session: "required",
      body: requireJson(ProfileBody),
      response: CustomerView,
      idempotency: { store: storeBySession },
    }),
    async (c) => {
      const patch = toProfilePatch(c.req.valid("json"), requireKey(c).business);
      const { id: customerId } = await requireCustomer(c);
      const updated = await updateProfile(createContext(c, anonymous), { customerId, ...patch });
      return c.json(envelope(viewCustomer(updated)), 200);
    },
  );

const anonymous = { type: "anonymous" } as const;

/** The database that stores the business's one-time codes, and the audience of those codes. */
const codeStoreFor = (c: StorefrontContext) => ({
  db: createContext(c, anonymous).db,
  audience: storefrontAudience(requireKey(c).business),
  shard: requireKey(c).business.shard,
});

/**
 * @throws Refusal UNAUTHORIZED when nobody is logged in, or when all logins of the customer were
 * ended.
 */
async function requireCustomer(c: StorefrontContext): Promise<Customer> {
  const login = await loadLogin(c);
  if (login === null) throw unauthorized("Log in to change your profile.");
  const customer = await loginRepo(createContext(c, anonymous)).find(login);
  if (customer === null) throw loginEndedRefusal();
  return customer;
}

/**
 * @throws Refusal VALIDATION_ERROR that names the invalid field, or `body` when it has no field.
 */
function toProfilePatch(
  { name, email, phone }: z.infer<typeof ProfileBody>,
  { defaultCountry }: { defaultCountry: string },
): ProfilePatch {
  if (name === undefined && email === undefined && phone === undefined)
    throw invalid("body", "must contain a name, email or phone");
  return {
    name,
    email: parseContactField("email", email, normalizeEmail),
    phone: parseContactField("phone", phone, (value) => normalizePhone(value, defaultCountry)),
  };
}

function parseContactField(
  field: "email" | "phone",
  value: string | undefined,
  normalize: (value: string) => string | null,
): string | undefined {
  const normalized = value === undefined ? undefined : normalize(value);
  if (normalized === null) throw invalid(field, "is not valid");
  return normalized;
}
