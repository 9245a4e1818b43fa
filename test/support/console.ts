import { env } from "cloudflare:workers";
import { runtime } from "../../functions/runtime/runtime.ts";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { day, generateToken, hour, sha256 } from "../../shared/kernel/index.ts";
import { hashChallenge, type Role } from "../../shared/members/index.ts";
import { createAuthenticator } from "./passkeys.ts";
import { type ApiClient, type ApiResponse, type CallOptions, call, testAddress } from "./world.ts";

/** The cookie that a response sets, as a browser sends it; null when it sets none. */
export const cookieOf = ({ headers }: ApiResponse): string | null =>
  headers.get("set-cookie")?.split(";")[0] ?? null;

/** Logs in at the console; the codes of tests are 123456. */
export async function logInAt(email: string, options: CallOptions = {}): Promise<ApiResponse> {
  await call("POST", "/v1/console/auth/request-otp", { ...options, body: { contact: email } });
  const body = { contact: email, otp_code: "123456" };
  return call("POST", "/v1/console/auth/verify-otp", { ...options, body });
}

/** A client with the console's cookie, which sends the Origin of the host as a browser does. */
export const consoleClient =
  (cookie: string): ApiClient =>
  (method, path, { headers, ...options } = {}) =>
    call(method, path, {
      ...options,
      headers: {
        Cookie: cookie,
        ...(method !== "GET" && { Origin: testAddress.origin }),
        ...headers,
      },
    });

/** Somebody who is logged in at the console. */
export type LoggedInMember = Readonly<{
  id: string;
  userId: string;
  email: string;
  cookie: string;
  /** Takes paths within the business. */
  ask: ApiClient;
  /** Takes whole paths. */
  askAt: ApiClient;
}>;

let memberCount = 0;

/** Creates a member of the business with a login, without any call. */
export async function createMember(
  { business }: Pick<CreatedBusiness, "business">,
  role: Role,
): Promise<LoggedInMember> {
  memberCount += 1;
  const email = `${role}-${memberCount}-${business.id.slice(-6)}@example.com`;
  const [id, userId, now] = [runtime.newId("mem"), runtime.newId("usr"), runtime.now()];
  const token = generateToken(runtime.randomBytes);
  await env.CORE.batch([
    env.CORE.prepare("insert into users values (?, ?, null, 0, ?)").bind(userId, email, now),
    env.CORE.prepare("insert into members values (?, ?, ?, null, ?, ?, ?, null, ?)").bind(
      id,
      business.id,
      email,
      role,
      userId,
      now,
      now,
    ),
    env.CORE.prepare("insert into console_sessions values (?, ?, ?, ?)").bind(
      await sha256(token),
      userId,
      now,
      now + 12 * hour,
    ),
  ]);
  const cookie = `__Host-console=${token}`;
  const askAt = consoleClient(cookie);
  const ask: ApiClient = (method, path, options) =>
    askAt(method, `/v1/businesses/${business.id}${path}`, options);
  return { id, userId, email, cookie, ask, askAt };
}

/** Makes the passkey of a member, with an open challenge for a login and one for a registration. */
export async function createPasskey({ userId }: Pick<LoggedInMember, "userId">) {
  const [own, other] = [await createAuthenticator(), await createAuthenticator()];
  const id = runtime.newId("psk");
  const [loginChallenge, challenge] = [`bG9naW4${own.id}`, `bmV3${other.id}`];
  const later = runtime.now() + 365 * day;
  const openChallenge = "insert into passkey_challenges values (?, ?, ?)";
  await env.CORE.batch([
    env.CORE.prepare("insert into passkeys values (?, ?, ?, ?, 0, '[]', 'Laptop', ?, null)").bind(
      id,
      userId,
      own.id,
      own.publicKey,
      runtime.now(),
    ),
    env.CORE.prepare(openChallenge).bind(await hashChallenge(loginChallenge), null, later),
    env.CORE.prepare(openChallenge).bind(await hashChallenge(challenge), userId, later),
  ]);
  return {
    id,
    /** The answers as JSON, each of which is accepted once. */
    login: JSON.stringify(await own.logIn({ challenge: loginChallenge })),
    registration: JSON.stringify(await other.register({ challenge })),
  };
}
