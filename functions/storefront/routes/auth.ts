import { z } from "@hono/zod-openapi";
import {
  type Customer,
  loginEnded,
  loginRepo,
  normalisedEmail,
  normalisedPhone,
  type ProfilePatch,
  updateProfile,
} from "../../../shared/customers/index.ts";
import { invalid, iso } from "../../../shared/kernel/index.ts";
import { redeemCode, storefrontAudience } from "../../../shared/one-time-codes/index.ts";
import type { RequestContext } from "../../http/api-env.ts";
import { area } from "../../http/app.ts";
import { publishableKey as access } from "../../http/authentication/access.ts";
import {
  codeContext,
  contactFields,
  contactOf,
  sendCode,
} from "../../http/authentication/one-time-codes.ts";
import { dropCookie } from "../../http/authentication/session-cookie.ts";
import { contextOf, keyed } from "../../http/context.ts";
import { answer, contract, json } from "../../http/contract.ts";
import { unauthorized } from "../../http/errors.ts";
import { settled } from "../../http/object-calls.ts";
import { name, text } from "../../wire/fields.ts";
import { CustomerView, viewCustomer } from "../../wire/views/customer.ts";
import type { StorefrontBindings } from "../env.ts";
import { logIn } from "../log-in.ts";
import { askKnown, sessionLogin } from "../session-call.ts";
import { AuthStatusView, SentCodeView, viewSentCode } from "../views/auth.ts";
import { answersOfSession } from "../views/order-answers.ts";

const ProfileBody = z.object({
  name: name().optional(),
  email: text(254).optional(),
  phone: text(40).optional(),
});

/** interface.md, Auth (session cookie). */
export const auth = area<StorefrontBindings>()
  .openapi(
    contract("get", "/auth/status", {
      summary: "Who is logged in",
      access,
      answer: AuthStatusView,
    }),
    async (c) => {
      const known = await askKnown(c, "login");
      const login = known?.answer ?? null;
      const customer = login && (await loginRepo(contextOf(c, anonymous)).find(login));
      const status = {
        is_authenticated: customer !== null,
        customer: customer && viewCustomer(customer),
        session_expires_at: known && iso(known.session.expiresAt),
      };
      return c.json(answer(status), 200);
    },
  )
  .openapi(
    contract("post", "/auth/request-otp", {
      summary: "Send a one-time code to a phone or an e-mail address",
      access,
      body: json(z.object(contactFields)),
      answer: SentCodeView,
    }),
    async (c) => {
      const contact = contactOf(c.req.valid("json"), keyed(c).business);
      return c.json(answer(viewSentCode(await sendCode(c, codesOf(c), contact))), 200);
    },
  )
  .openapi(
    contract("post", "/auth/verify-otp", {
      summary: "Log in with a one-time code; the cookie changes, the cart stays",
      access,
      body: json(z.object({ ...contactFields, otp_code: text(6).min(4) })),
      answer: z.object({ customer: CustomerView, session: z.object({ expires_at: z.string() }) }),
    }),
    async (c) => {
      const body = c.req.valid("json");
      const contact = contactOf(body, keyed(c).business);
      await redeemCode(await codeContext(c, codesOf(c)), { contact, code: body.otp_code });
      const { customer, session } = await logIn(c, contact);
      const loggedIn = {
        customer: viewCustomer(customer),
        session: { expires_at: iso(session.expiresAt) },
      };
      return c.json(answer(loggedIn), 200);
    },
  )
  .openapi(
    contract("post", "/auth/logout", {
      summary: "End the session, its cart too; without one nothing happens",
      access,
      answer: z.null(),
    }),
    async (c) => {
      const asked = await askKnown(c, "logOut");
      if (asked) settled(c, asked.answer);
      dropCookie(c);
      return c.json(answer(null), 200);
    },
  )
  .openapi(
    contract("post", "/auth/profile", {
      summary: "Change one's own name, e-mail address or phone",
      access,
      body: json(ProfileBody),
      answer: CustomerView,
      answersOf: answersOfSession,
    }),
    async (c) => {
      const patch = profilePatch(c.req.valid("json"), keyed(c).business);
      const { id: customerId } = await loggedInCustomer(c);
      const updated = await updateProfile(contextOf(c, anonymous), { customerId, ...patch });
      return c.json(answer(viewCustomer(updated)), 200);
    },
  );

type StorefrontContext = RequestContext<StorefrontBindings>;

const anonymous = { type: "anonymous" } as const;

/** Where the business's one-time codes are kept, and whom they let in. */
const codesOf = (c: StorefrontContext) => ({
  db: contextOf(c, anonymous).db,
  audience: storefrontAudience(keyed(c).business),
});

/** @throws Refusal UNAUTHORIZED when nobody is logged in, or the customer's logins were ended. */
async function loggedInCustomer(c: StorefrontContext): Promise<Customer> {
  const login = await sessionLogin(c);
  if (login === null) throw unauthorized("Log in to change your profile.");
  const customer = await loginRepo(contextOf(c, anonymous)).find(login);
  if (customer === null) throw loginEnded();
  return customer;
}

/** @throws Refusal VALIDATION_ERROR naming the field, or the body when it changes nothing. */
function profilePatch(
  { name, email, phone }: z.infer<typeof ProfileBody>,
  { defaultCountry }: { defaultCountry: string },
): ProfilePatch {
  if (name === undefined && email === undefined && phone === undefined)
    throw invalid("body", "must hold a name, an e-mail address or a phone");
  return {
    name,
    email: contact("email", email, normalisedEmail),
    phone: contact("phone", phone, (given) => normalisedPhone(given, defaultCountry)),
  };
}

function contact(
  field: string,
  given: string | undefined,
  normalised: (given: string) => string | null,
): string | undefined {
  const value = given === undefined ? undefined : normalised(given);
  if (value === null) throw invalid(field, "is not valid");
  return value;
}
