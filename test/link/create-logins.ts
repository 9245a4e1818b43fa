import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { signSessionToken } from "../../functions/link/session-token.ts";
import { runtime } from "../../functions/runtime/runtime.ts";
import { deriveSecret } from "../../functions/runtime/secrets.ts";
import { settingsOf } from "../../functions/runtime/settings.ts";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { createMeter, openDb } from "../../shared/database/index.ts";
import { type IssuedTokens, type LoginContext, logIn } from "../../shared/link/index.ts";
import { type ApiResponse, type CallOptions, call } from "../support/world.ts";

type BusinessKeys = Pick<CreatedBusiness, "keys">;

const randomDigits = (length: number) =>
  Array.from(crypto.getRandomValues(new Uint8Array(length)), (byte) => byte % 10).join("");

/** Contacts and network addresses that no other test uses. */
export const uniquePhone = (): string => `+23324${randomDigits(7)}`;
export const uniqueEmail = (): string => `${crypto.randomUUID()}@example.com`;
export const uniqueNetworkAddress = (): string =>
  `2001:db8:${crypto.randomUUID().slice(0, 4)}:${randomDigits(4)}::1`;

export const bodyOf = ({ body }: ApiResponse) => Object(body);
export const dataOf = (answer: ApiResponse) => bodyOf(answer).data;

/** Calls the Link API without credentials. */
export const callLink = (
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<ApiResponse> => call(method, `/v1/link${path}`, options);

/** Calls of the Link API with a publishable key. */
export const storefrontCaller =
  ({ keys }: BusinessKeys) =>
  (method: string, path: string, { headers, ...options }: CallOptions = {}): Promise<ApiResponse> =>
    callLink(method, path, {
      ...options,
      headers: {
        "X-Public-Key": keys.publishable,
        "CF-Connecting-IP": uniqueNetworkAddress(),
        ...headers,
      },
    });

/** Calls of the Link API with a session token. */
export const bearerCaller =
  (token: string) =>
  (method: string, path: string, { headers, ...options }: CallOptions = {}): Promise<ApiResponse> =>
    callLink(method, path, {
      ...options,
      headers: { Authorization: `Bearer ${token}`, ...headers },
    });

export type LinkLogin = Readonly<{
  contact: string;
  token: string;
  refreshToken: string;
  accountId: string;
  customerId: string;
  ask: ReturnType<typeof bearerCaller>;
}>;

/** Requests a code for the contact and logs in with the code of test mode. */
export async function requestLogin(
  shop: BusinessKeys,
  contact: string,
  options: CallOptions = {},
): Promise<ApiResponse> {
  await storefrontCaller(shop)("POST", "/auth/request-otp", { body: { contact } });
  const body = { contact, otp_code: "123456" };
  return storefrontCaller(shop)("POST", "/auth/verify-otp", { ...options, body });
}

/** A login with a new contact. */
export async function createLogin(
  shop: BusinessKeys,
  { contact = uniquePhone(), ...options }: CallOptions & { contact?: string } = {},
): Promise<LinkLogin> {
  const answer = await requestLogin(shop, contact, options);
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  const body = bodyOf(answer);
  return {
    contact,
    token: body.session_token,
    refreshToken: body.refresh_token,
    accountId: body.account_id,
    customerId: body.customer_id,
    ask: bearerCaller(body.session_token),
  };
}

export const createLoginContext = async (): Promise<LoginContext> => ({
  ...runtime,
  db: openDb(env.CORE, createMeter()),
  accountIdSecret: await deriveSecret(settingsOf(env), "link account ids"),
});

/** Logs in to a live account without a code, which tests cannot read. */
export const logInLive = async (contact: string): Promise<IssuedTokens> =>
  logIn(await createLoginContext(), {
    contact: { type: contact.includes("@") ? "email" : "phone", value: contact },
    mode: "live",
    device: null,
    country: null,
  });

/** A session token of a live account. */
export const createLiveToken = async (contact = uniquePhone()): Promise<string> =>
  signSessionToken(settingsOf(env), await logInLive(contact));

/** Calls with such a token. */
export const createLiveCaller = async (
  contact?: string,
): Promise<ReturnType<typeof bearerCaller>> => bearerCaller(await createLiveToken(contact));

/** Adds a contact to the login's account, with codes to both contacts. */
export async function addContact(
  shop: BusinessKeys,
  { ask, contact }: Pick<LinkLogin, "ask" | "contact">,
  added: string,
): Promise<ApiResponse> {
  for (const receiver of [contact, added])
    await storefrontCaller(shop)("POST", "/auth/request-otp", { body: { contact: receiver } });
  const own: { id: string; contact: string }[] = dataOf(await ask("GET", "/contacts"));
  const contact_id = own.find((candidate) => candidate.contact === contact)?.id;
  const confirmation = { contact_id, otp_code: "123456" };
  return ask("POST", "/contacts", { body: { contact: added, otp_code: "123456", confirmation } });
}

/** Like `createLogin`, enrolled. */
export async function createEnrolledLogin(shop: BusinessKeys): Promise<LinkLogin> {
  const login = await createLogin(shop);
  const headers = { Authorization: `Bearer ${login.token}` };
  await storefrontCaller(shop)("POST", "/enroll", { body: { contact: login.contact }, headers });
  return login;
}

export const homeAddress = {
  label: "Home",
  street_address: "12 Ring Road",
  city: "Accra",
  region: "Greater Accra",
};

export const refusalBody = (code: string, over: object = {}) => ({
  success: false,
  error: { code, message: expect.any(String), retryable: false, ...over },
});
