import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { createMeter, openDb } from "../../shared/database/index.ts";
import { minute } from "../../shared/kernel/index.ts";
import { passkeyRepo } from "../../shared/members/index.ts";
import {
  consoleClient,
  cookieOf,
  createMember,
  createPasskey,
  type LoggedInMember,
} from "../support/console.ts";
import { type AuthenticatorFault, createAuthenticator } from "../support/passkeys.ts";
import { type ApiResponse, call, createBusiness, dataOf, roundTrips } from "../support/world.ts";

const path = "/v1/console/auth/passkeys";

let shop: CreatedBusiness;
let member: LoggedInMember;

beforeAll(async () => {
  shop = await createBusiness();
  member = await createMember(shop, "owner");
});

type Authenticator = Awaited<ReturnType<typeof createAuthenticator>>;

const registerOptions = async ({ askAt } = member) =>
  dataOf(await askAt("POST", `${path}/register-options`));

async function register(
  authenticator: Authenticator,
  { by = member, fault = {} }: { by?: LoggedInMember; fault?: AuthenticatorFault } = {},
): Promise<ApiResponse> {
  const response = await authenticator.register(await registerOptions(by), fault);
  return by.askAt("POST", `${path}/register`, { body: { response, name: "Laptop" } });
}

const loginOptions = async () => dataOf(await call("POST", `${path}/login-options`));
const send = (response: object, headers: Record<string, string> = {}) =>
  call("POST", `${path}/login`, { body: { response }, headers });

async function logIn(
  authenticator: Authenticator,
  fault: AuthenticatorFault = {},
): Promise<ApiResponse> {
  return send(await authenticator.logIn(await loginOptions(), fault));
}

const refused = { status: 400, body: { error: { context: { field: "response" } } } };

describe("a passkey", () => {
  it("is registered for this host alone, and logs in without an address or a code", async () => {
    const authenticator = await createAuthenticator();
    const options = await registerOptions();
    expect(options).toMatchObject({
      rp: { id: "duka.test", name: "Duka" },
      user: { name: member.email },
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
      attestation: "none",
    });
    const registered = await register(authenticator);
    expect(registered).toMatchObject({ status: 201, body: { data: { name: "Laptop" } } });
    expect(roundTrips(registered).d1).toBe(3);
    const excluded = (await registerOptions()).excludeCredentials;
    expect(excluded).toContainEqual({ id: authenticator.id, type: "public-key" });

    const login = await logIn(authenticator);
    expect(login).toMatchObject({
      status: 200,
      body: {
        data: {
          user: { id: member.userId },
          memberships: [{ business_id: shop.business.id, role: "owner" }],
        },
      },
    });
    expect(roundTrips(login).d1).toBe(2);
    const ask = consoleClient(cookieOf(login) ?? "");
    expect((await ask("GET", `/v1/businesses/${shop.business.id}`)).status).toBe(200);
    const listed = dataOf(await ask("GET", path));
    expect(listed).toMatchObject([{ name: "Laptop", last_used_at: expect.any(String) }]);
  });

  it("ends the session of the cookie that it is sent with", async () => {
    const authenticator = await createAuthenticator();
    const by = await createMember(shop, "viewer");
    await register(authenticator, { by });
    const response = await authenticator.logIn(await loginOptions());
    expect((await send(response, { Cookie: by.cookie })).status).toBe(200);
    expect((await by.askAt("GET", "/v1/console/me")).status).toBe(401);
  });

  it("accepts no invitation, because it does not prove who reads the address's mail", async () => {
    const authenticator = await createAuthenticator();
    const by = await createMember(shop, "viewer");
    await register(authenticator, { by });
    const other = await createMember(await createBusiness(), "owner");
    await other.ask("POST", "/members", { body: { email: by.email, role: "manager" } });
    expect(dataOf(await logIn(authenticator)).memberships).toHaveLength(1);
  });

  it("is deleted by its own login, and logs nobody in then", async () => {
    const authenticator = await createAuthenticator();
    const { id } = dataOf(await register(authenticator));
    const otherMember = await createMember(shop, "owner");
    expect((await otherMember.askAt("DELETE", `${path}/${id}`)).status).toBe(404);
    expect((await member.askAt("DELETE", `${path}/${id}`)).status).toBe(200);
    expect((await logIn(authenticator)).status).toBe(401);
  });

  it("is registered once, and a login has at most 20", async () => {
    const authenticator = await createAuthenticator();
    const by = await createMember(shop, "viewer");
    expect((await register(authenticator, { by })).status).toBe(201);
    expect((await register(authenticator, { by: member })).status).toBe(409);
    await env.CORE.batch(
      Array.from({ length: 19 }, (_, index) =>
        env.CORE.prepare("insert into passkeys values (?, ?, ?, '', 0, '[]', 'Key', 0, null)").bind(
          `psk_${by.userId}_${index}`,
          by.userId,
          `${by.userId}-${index}`,
        ),
      ),
    );
    const answer = await register(await createAuthenticator(), { by });
    expect(answer).toMatchObject({
      status: 422,
      body: { error: { context: { rule: "PASSKEY_LIMIT", limit: 20 } } },
    });
  });
});

const wrongAnswers: readonly [string, AuthenticatorFault][] = [
  ["another page's origin", { origin: "https://evil.example" }],
  ["another host's passkey", { rpId: "evil.example" }],
  ["an unverified user", { isVerified: false }],
  ["a made-up challenge", { challenge: "bWFkZS11cA" }],
];

describe("an answer is refused", () => {
  it.each(wrongAnswers)("with %s", async (_, fault) => {
    const authenticator = await createAuthenticator();
    expect(await register(authenticator, { fault })).toMatchObject(refused);
    await register(authenticator);
    expect((await logIn(authenticator, fault)).status).toBe(401);
    expect((await logIn(authenticator)).status).toBe(200);
  });

  it("with certificates, whose revocation lists would be fetched", async () => {
    const fault = { certificate: true };
    expect(await register(await createAuthenticator(), { fault })).toMatchObject(refused);
  });

  it("when it is sent again, also when the first try failed", async () => {
    const authenticator = await createAuthenticator();
    const options = await registerOptions();
    const response = await authenticator.register(options);
    const store = () => member.askAt("POST", `${path}/register`, { body: { response } });
    expect((await store()).status).toBe(201);
    expect(await store()).toMatchObject(refused);
    const answer = await authenticator.logIn(await loginOptions());
    expect((await send(answer)).status).toBe(200);
    expect((await send(answer)).status).toBe(401);
    const open = await loginOptions();
    expect((await send(await authenticator.logIn(open, { isVerified: false }))).status).toBe(401);
    expect((await send(await authenticator.logIn(open))).status, "the challenge is spent").toBe(
      401,
    );
  });

  it("after 5 minutes", async () => {
    onTestFinished(() => void vi.useRealTimers());
    const authenticator = await createAuthenticator();
    await register(authenticator);
    const [open, registration] = [await loginOptions(), await registerOptions()];
    vi.setSystemTime(Date.now() + 5 * minute + 1_000);
    expect((await send(await authenticator.logIn(open))).status).toBe(401);
    const late = await createAuthenticator();
    const response = await late.register(registration);
    const answer = await member.askAt("POST", `${path}/register`, { body: { response } });
    expect(answer).toMatchObject(refused);
  });

  it("to the challenge of another login, or of the other ceremony", async () => {
    const authenticator = await createAuthenticator();
    await register(authenticator);
    const otherMember = await createMember(shop, "owner");
    const foreign = await (await createAuthenticator()).register(
      await registerOptions(otherMember),
    );
    const stored = await member.askAt("POST", `${path}/register`, { body: { response: foreign } });
    expect(stored).toMatchObject(refused);
    const mixed = await authenticator.logIn(await registerOptions());
    expect((await send(mixed)).status).toBe(401);
  });

  it("when the authenticator's count does not rise, as that of a copy", async () => {
    const authenticator = await createAuthenticator();
    await register(authenticator);
    expect((await logIn(authenticator, { counter: 10 })).status).toBe(200);
    for (const counter of [10, 9, 0])
      expect((await logIn(authenticator, { counter })).status, String(counter)).toBe(401);
    expect((await logIn(authenticator, { counter: 11 })).status).toBe(200);
  });

  it("when another login used the passkey after it was read", async () => {
    const { id } = await createPasskey(member);
    const repo = passkeyRepo(openDb(env.CORE, createMeter()));
    const passkey = (await repo.listQuery(member.userId)).find((one) => one.id === id);
    if (!passkey) throw new Error("The passkey is missing.");
    await repo.recordUse(passkey, 1, Date.now());
    expect(await repo.insertSession(passkey, "the hash of a token", Date.now())).toEqual([]);
  });

  it("never, when the authenticator does not count", async () => {
    const authenticator = await createAuthenticator({ counts: false });
    await register(authenticator);
    for (let count = 0; count < 2; count += 1)
      expect((await logIn(authenticator)).status).toBe(200);
  });

  it("when it is no answer at all", async () => {
    const text = (value: unknown) => btoa(JSON.stringify(value)).replaceAll("=", "");
    const { challenge } = await loginOptions();
    const shapes = [
      {},
      { id: "a", rawId: "a", type: "public-key", response: {} },
      {
        id: "a",
        rawId: "a",
        type: "public-key",
        response: {
          clientDataJSON: "a",
          authenticatorData: "a",
          signature: "a",
          attestationObject: "a",
        },
      },
      {
        id: "a",
        rawId: "a",
        type: "public-key",
        response: {
          clientDataJSON: text({ challenge }),
          authenticatorData: "AA",
          signature: "AA",
          attestationObject: "AA",
        },
      },
    ];
    for (const response of shapes) {
      expect((await send(response)).status).toBe(401);
      const stored = await member.askAt("POST", `${path}/register`, { body: { response } });
      expect(stored).toMatchObject(refused);
    }
  });
});

describe("passkey calls", () => {
  it("need the login, and the Origin of this host", async () => {
    const { cookie } = member;
    for (const name of ["register-options", "register"])
      for (const [headers, status] of [
        [{}, 401],
        [{ Cookie: cookie }, 403],
        [{ Cookie: cookie, Origin: "https://evil.example" }, 403],
      ] as const) {
        const options = name === "register" ? { headers, body: { response: {} } } : { headers };
        expect((await call("POST", `${path}/${name}`, options)).status, name).toBe(status);
      }
    const evil = { headers: { Origin: "https://evil.example" } };
    expect((await call("POST", `${path}/login-options`, evil)).status).toBe(403);
  });
});
