import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { runtime } from "../../functions/runtime/runtime.ts";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { createMeter, openDb } from "../../shared/database/index.ts";
import { hour, minute, second, sha256 } from "../../shared/kernel/index.ts";
import {
  authorizePlatform,
  deletePlatformGrants,
  exchangeAuthorizationCode,
  loadBuyerDetails,
  platformGrantRepo,
  purgePlatformGrants,
  refreshPlatformTokens,
} from "../../shared/link/index.ts";
import { createBusiness } from "../support/world.ts";
import { createLogin, createLoginContext, dataOf, uniqueEmail } from "./create-logins.ts";

const verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
/** The challenge of the verifier: the example of RFC 7636, appendix B. */
const codeChallenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
const clientId = "https://agent.example/client.json";
const redirectUri = "https://agent.example/callback";
const request = { requestKey: null, secret: "s".repeat(32) };

let shop: CreatedBusiness;
let now: number;
beforeEach(async () => {
  shop = await createBusiness();
  now = Date.parse("2031-03-01T10:00:00Z");
});

const core = () => openDb(env.CORE, createMeter());
const context = () => ({ ...runtime, db: core(), now: () => now });

const authorize = async (
  changes: Partial<Parameters<typeof authorizePlatform>[1]> = {},
): Promise<string> =>
  authorizePlatform(
    { ...(await createLoginContext()), now: () => now },
    {
      contact: { type: "email", value: uniqueEmail() },
      mode: "test",
      businessId: shop.business.id,
      customerId: "cus_1",
      clientId,
      clientName: "Agent",
      scopes: ["dev.ucp.shopping.order:read"],
      redirectUri,
      codeChallenge,
      ...changes,
    },
  );

const exchange = (code: string, changes: object = {}) =>
  exchangeAuthorizationCode(context(), {
    ...{ code, codeVerifier: verifier, redirectUri, clientId, ...request },
    businessId: shop.business.id,
    ...changes,
  });

const refresh = (refreshToken: string, changes: object = {}) =>
  refreshPlatformTokens(context(), {
    ...{ refreshToken, clientId, businessId: shop.business.id, ...request },
    ...changes,
  });

const findByAccess = async (token: string, businessId = shop.business.id) =>
  platformGrantRepo(core()).findByAccessToken({ hash: await sha256(token), businessId }, now);

async function issue() {
  const issued = await exchange(await authorize());
  if (!issued) throw new Error("The code was refused.");
  return issued;
}

describe("an authorization code", () => {
  it("is exchanged once, for tokens of the grant", async () => {
    const { grant, tokens } = await issue();
    expect(grant).toMatchObject({ clientId, customerId: "cus_1", businessId: shop.business.id });
    expect(await findByAccess(tokens.access)).toMatchObject({ id: grant.id });
  });

  it("revokes its grant when it is used again", async () => {
    const code = await authorize();
    const first = await exchange(code);
    expect(await exchange(code)).toBeNull();
    expect(await findByAccess(first?.tokens.access ?? "")).toBeNull();
    expect(await refresh(first?.tokens.refresh ?? "")).toBeNull();
  });

  it("is exchanged by one of concurrent calls, and none keeps tokens of a code that was used twice", async () => {
    const code = await authorize();
    const issued = await Promise.all([exchange(code), exchange(code), exchange(code)]);
    expect(issued.filter((one) => one !== null).length).toBeLessThanOrEqual(1);
  });

  it("works with its own verifier, client, redirect URI and business only, and for 60 seconds", async () => {
    const other = await createBusiness();
    const code = await authorize();
    const wrong = [
      { codeVerifier: `${verifier}x` },
      { clientId: "https://other.example/client.json" },
      { redirectUri: `${redirectUri}/` },
      { businessId: other.business.id },
    ];
    for (const change of wrong) expect(await exchange(code, change)).toBeNull();
    now += 60 * second;
    expect(await exchange(code)).toBeNull();
    now -= 1;
    expect(await exchange(code)).not.toBeNull();
  });

  it("returns the same tokens to a repeated request with the same Idempotency-Key", async () => {
    const code = await authorize();
    const first = await exchange(code, { requestKey: "k1" });
    expect((await exchange(code, { requestKey: "k1" }))?.tokens).toEqual(first?.tokens);
    await refresh(first?.tokens.refresh ?? "");
    expect(await exchange(code, { requestKey: "k1" })).toBeNull();
  });
});

describe("a refresh token", () => {
  it("is replaced at each use", async () => {
    const { grant, tokens } = await issue();
    const next = await refresh(tokens.refresh);
    expect(next?.grant.id).toBe(grant.id);
    expect(await findByAccess(next?.tokens.access ?? "")).toMatchObject({ id: grant.id });
    expect(await refresh(next?.tokens.refresh ?? "")).not.toBeNull();
  });

  it("revokes the grant when it is used again", async () => {
    const { tokens } = await issue();
    const next = await refresh(tokens.refresh);
    expect(await refresh(tokens.refresh)).toBeNull();
    expect(await findByAccess(next?.tokens.access ?? "")).toBeNull();
    expect(await refresh(next?.tokens.refresh ?? "")).toBeNull();
  });

  it("leaves the grant alone when another client or business sends it, or an access token is sent", async () => {
    const { tokens } = await issue();
    const other = await createBusiness();
    expect(await refresh(tokens.refresh, { clientId: "https://other.example/c" })).toBeNull();
    expect(await refresh(tokens.refresh, { businessId: other.business.id })).toBeNull();
    expect(await refresh(tokens.access)).toBeNull();
    expect(await refresh(tokens.refresh)).not.toBeNull();
  });

  it("is exchanged by at most one of concurrent calls", async () => {
    const { tokens } = await issue();
    const issued = await Promise.all([refresh(tokens.refresh), refresh(tokens.refresh)]);
    expect(issued.filter((one) => one !== null).length).toBeLessThanOrEqual(1);
    expect(await findByAccess(tokens.access)).toBeNull();
  });

  it("returns the same tokens to a repeat with the same key, until the next one is used", async () => {
    const { tokens } = await issue();
    const next = await refresh(tokens.refresh, { requestKey: "k" });
    expect((await refresh(tokens.refresh, { requestKey: "k" }))?.tokens).toEqual(next?.tokens);
    const third = await refresh(next?.tokens.refresh ?? "");
    expect(third).not.toBeNull();
    expect(await refresh(tokens.refresh, { requestKey: "k" })).toBeNull();
    expect(await findByAccess(third?.tokens.access ?? "")).toBeNull();
  });
});

describe("a grant", () => {
  it("opens its own business for an hour per access token", async () => {
    const { tokens } = await issue();
    const other = await createBusiness();
    expect(await findByAccess(tokens.access, other.business.id)).toBeNull();
    expect(await findByAccess(tokens.refresh)).toBeNull();
    now += hour;
    expect(await findByAccess(tokens.access)).toBeNull();
  });

  it("is revoked by any of its tokens, and by no other client", async () => {
    const { tokens } = await issue();
    const grants = platformGrantRepo(core());
    const client = { businessId: shop.business.id, clientId };
    const hash = await sha256(tokens.refresh);
    await grants.revokeByToken({ ...client, clientId: "https://other.example/c" }, hash, now);
    expect(await findByAccess(tokens.access)).not.toBeNull();
    await grants.revokeByToken(client, hash, now);
    expect(await findByAccess(tokens.access)).toBeNull();
    expect(await refresh(tokens.refresh)).toBeNull();
  });

  it("keeps the scopes that the platform already has", async () => {
    const contact = { type: "email" as const, value: uniqueEmail() };
    await exchange(await authorize({ contact }));
    const scopes = ["dev.ucp.shopping.checkout:manage"];
    const second = await exchange(await authorize({ contact, scopes }));
    expect(second?.grant.scopes).toEqual([...scopes, "dev.ucp.shopping.order:read"]);
  });

  it("is listed and revoked by its owner alone", async () => {
    const { grant, tokens } = await issue();
    const grants = platformGrantRepo(core());
    const [listed] = await grants.listPlatforms(grant.accountId, now);
    expect(listed).toMatchObject({ id: grant.id, clientName: "Agent" });
    expect(
      await grants.disconnectPlatform({ accountId: "acc_other", grantId: grant.id }, now),
    ).toBe(false);
    expect(
      await grants.disconnectPlatform({ accountId: grant.accountId, grantId: grant.id }, now),
    ).toBe(true);
    expect(await grants.listPlatforms(grant.accountId, now)).toEqual([]);
    expect(await findByAccess(tokens.access)).toBeNull();
  });

  it("is deleted with its tokens when it has expired, and with its business", async () => {
    const expired = await issue();
    now += 60 * 24 * hour;
    const { grant } = await issue();
    const db = core();
    await db.batch(purgePlatformGrants(db, now));
    const count = async () =>
      env.CORE.prepare("select count(*) as n from link_platform_grants where id in (?, ?)")
        .bind(expired.grant.id, grant.id)
        .first("n");
    expect(await count()).toBe(1);
    await db.batch([deletePlatformGrants(db, shop.business.id)]);
    expect(await count()).toBe(0);
  });

  it("ends when its owner removes a contact", async () => {
    const email = uniqueEmail();
    const login = await createLogin(shop, { contact: email });
    const phone = "+233241112223";
    await env.CORE.prepare(
      "insert into link_contacts (mode, type, value, account_id, verified_at, created_at) values ('test', 'phone', ?, ?, 1, 1)",
    )
      .bind(phone, login.accountId)
      .run();
    now = Date.now() + minute;
    const issued = await exchange(await authorize({ contact: { type: "phone", value: phone } }));
    expect(issued?.grant.accountId).toBe(login.accountId);
    const { id } = dataOf(await login.ask("GET", "/contacts")).find(
      (one: { contact: string }) => one.contact === phone,
    );
    await login.ask("DELETE", `/contacts/${id}`);
    expect(await findByAccess(issued?.tokens.access ?? "")).toBeNull();
  });
});

describe("loadBuyerDetails", () => {
  it("reads the name, the verified contacts and the default address", async () => {
    const email = uniqueEmail();
    const login = await createLogin(shop, { contact: email });
    await login.ask("POST", "/enroll", {
      headers: { "X-Public-Key": shop.keys.publishable },
      body: { contact: email, name: "Ama Mensah" },
    });
    await login.ask("POST", "/addresses", {
      body: { street_address: "1 Ring Road", city: "Accra" },
    });
    expect(await loadBuyerDetails(core(), login.accountId)).toMatchObject({
      name: "Ama Mensah",
      email,
      phone: null,
      address: { streetAddress: "1 Ring Road" },
    });
  });
});
