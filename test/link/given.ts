import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { signSessionToken } from "../../functions/link/session-token.ts";
import { chance } from "../../functions/runtime/runtime.ts";
import { settingsOf } from "../../functions/runtime/settings.ts";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { openDb } from "../../shared/database/index.ts";
import { createMeter } from "../../shared/kernel/index.ts";
import { logIn } from "../../shared/link/index.ts";
import { type Answer, type CallOptions, call } from "../support/world.ts";

type Shop = Pick<CreatedBusiness, "keys">;

const random = (length: number) =>
  Array.from(crypto.getRandomValues(new Uint8Array(length)), (byte) => byte % 10).join("");

/** A contact, and an address, that no other test uses. */
export const somePhone = (): string => `+23324${random(7)}`;
export const someEmail = (): string => `${crypto.randomUUID()}@example.com`;
export const someAddress = (): string =>
  `2001:db8:${crypto.randomUUID().slice(0, 4)}:${random(4)}::1`;

export const bodyOf = ({ body }: Answer) => Object(body);
export const dataOf = (answer: Answer) => bodyOf(answer).data;

/** A call of Link by somebody without credentials. */
export const link = (method: string, path: string, options: CallOptions = {}): Promise<Answer> =>
  call(method, `/v1/link${path}`, options);

/** Calls of Link by a storefront, with its publishable key. */
export const storefront =
  ({ keys }: Shop) =>
  (method: string, path: string, { headers, ...options }: CallOptions = {}): Promise<Answer> =>
    link(method, path, {
      ...options,
      headers: {
        "X-Public-Key": keys.publishable,
        "CF-Connecting-IP": someAddress(),
        ...headers,
      },
    });

/** Calls of Link with a session token. */
export const bearer =
  (token: string) =>
  (method: string, path: string, { headers, ...options }: CallOptions = {}): Promise<Answer> =>
    link(method, path, {
      ...options,
      headers: { Authorization: `Bearer ${token}`, ...headers },
    });

export type LoggedIn = Readonly<{
  contact: string;
  token: string;
  refreshToken: string;
  accountId: string;
  customerId: string;
  ask: ReturnType<typeof bearer>;
}>;

/** Asks for a code with the contact, and logs in with it as test mode has it. */
export async function verify(
  shop: Shop,
  contact: string,
  options: CallOptions = {},
): Promise<Answer> {
  await storefront(shop)("POST", "/auth/request-otp", { body: { contact } });
  const body = { contact, otp_code: "123456" };
  return storefront(shop)("POST", "/auth/verify-otp", { ...options, body });
}

/** Somebody who is logged in with a contact of their own. */
export async function givenLogin(
  shop: Shop,
  { contact = somePhone(), ...options }: CallOptions & { contact?: string } = {},
): Promise<LoggedIn> {
  const answer = await verify(shop, contact, options);
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  const body = bodyOf(answer);
  return {
    contact,
    token: body.session_token,
    refreshToken: body.refresh_token,
    accountId: body.account_id,
    customerId: body.customer_id,
    ask: bearer(body.session_token),
  };
}

/** The session token of somebody who is logged in to an account of live mode, whose codes no test can read. */
export async function givenLiveToken(contact = somePhone()): Promise<string> {
  const issued = await logIn(
    { ...chance, db: openDb(env.CORE, createMeter()) },
    {
      contact: { type: "phone", value: contact },
      mode: "live",
      holder: null,
      device: null,
      country: null,
    },
  );
  return signSessionToken(settingsOf(env), issued);
}

/** Calls of somebody with such a token. */
export const givenLiveLogin = async (contact?: string): Promise<ReturnType<typeof bearer>> =>
  bearer(await givenLiveToken(contact));

/** As `givenLogin`, enrolled. */
export async function givenEnrolled(shop: Shop): Promise<LoggedIn> {
  const login = await givenLogin(shop);
  const headers = { Authorization: `Bearer ${login.token}` };
  await storefront(shop)("POST", "/enroll", { body: { contact: login.contact }, headers });
  return login;
}

export const home = {
  label: "Home",
  street_address: "12 Ring Road",
  city: "Accra",
  region: "Greater Accra",
};

export const refusal = (code: string, over: object = {}) => ({
  success: false,
  error: { code, message: expect.any(String), retryable: false, ...over },
});
