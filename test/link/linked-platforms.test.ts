import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { runtime } from "../../functions/runtime/runtime.ts";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { createMeter, openDb } from "../../shared/database/index.ts";
import { sha256 } from "../../shared/kernel/index.ts";
import {
  type IssuedPlatformTokens,
  platformGrantRepo,
  refreshPlatformTokens,
} from "../../shared/link/index.ts";
import { createBusiness, roundTrips } from "../support/world.ts";
import { createLogin, dataOf, refusalBody, uniqueEmail } from "./create-logins.ts";
import { createPlatformGrant } from "./create-platform-grant.ts";

let shop: CreatedBusiness;
let contact: string;

beforeEach(async () => {
  vi.setSystemTime(Date.parse("2031-03-01T00:00:00Z"));
  shop = await createBusiness();
  contact = uniqueEmail();
});

const linkPlatform = (owner = contact, host = "agent.example") =>
  createPlatformGrant({
    ...{ businessId: shop.business.id, contact: owner },
    clientId: `https://${host}/client.json`,
  });

/** Whether the access token and the refresh token of a grant work. */
async function testTokens({ grant, tokens }: IssuedPlatformTokens) {
  const db = openDb(env.CORE, createMeter());
  const { businessId, clientId } = grant;
  const key = { hash: await sha256(tokens.access), businessId };
  const access = await platformGrantRepo(db).findByAccessToken(key, runtime.now());
  const refreshed = await refreshPlatformTokens(
    { ...runtime, db },
    {
      ...{ refreshToken: tokens.refresh, businessId, clientId },
      ...{ requestKey: null, secret: "s".repeat(32) },
    },
  );
  return { access: access !== null, refresh: refreshed !== null };
}

describe("GET /platforms", () => {
  it("lists each platform that the owner has linked once, the newest first", async () => {
    const login = await createLogin(shop, { contact });
    await linkPlatform(uniqueEmail());
    const first = await linkPlatform(contact, "other.example");
    await linkPlatform();
    vi.setSystemTime(Date.parse("2031-03-01T00:01:00Z"));
    const second = await linkPlatform();
    const answer = await login.ask("GET", "/platforms");
    expect(roundTrips(answer)).toMatchObject({ d1: 2, do: 0 });
    expect(answer.body).toEqual({
      success: true,
      data: [
        {
          id: second.grant.id,
          name: "Agent",
          host: "agent.example",
          business_id: shop.business.id,
          scopes: ["dev.ucp.shopping.order:read"],
          linked_at: "2031-03-01T00:01:00.000Z",
          last_used_at: "2031-03-01T00:01:00.000Z",
          expires_at: "2031-03-31T00:01:00.000Z",
        },
        expect.objectContaining({ id: first.grant.id, linked_at: "2031-03-01T00:00:00.000Z" }),
      ],
    });
  });
});

describe("DELETE /platforms/{id}", () => {
  it("ends the access and the refresh token of that platform only", async () => {
    const login = await createLogin(shop, { contact });
    const [earlier, ended] = [await linkPlatform(), await linkPlatform()];
    const other = await linkPlatform(contact, "other.example");
    const path = `/platforms/${ended.grant.id}`;
    expect(await login.ask("DELETE", path)).toMatchObject({
      status: 200,
      body: { success: true, data: { id: ended.grant.id, deleted: true } },
    });
    expect(await testTokens(ended)).toEqual({ access: false, refresh: false });
    expect(await testTokens(earlier)).toEqual({ access: false, refresh: false });
    expect(await testTokens(other)).toEqual({ access: true, refresh: true });
    expect(dataOf(await login.ask("GET", "/platforms"))).toHaveLength(1);
    expect(await login.ask("DELETE", path)).toMatchObject({
      status: 404,
      body: refusalBody("NOT_FOUND"),
    });
  });

  it("returns 404 for another buyer's platform and leaves it linked", async () => {
    const theirs = await linkPlatform(uniqueEmail());
    const login = await createLogin(shop, { contact });
    expect((await login.ask("DELETE", `/platforms/${theirs.grant.id}`)).status).toBe(404);
    expect(await testTokens(theirs)).toEqual({ access: true, refresh: true });
  });
});

describe("DELETE /sessions", () => {
  it("disconnects the platforms of the account, and of no other one", async () => {
    const login = await createLogin(shop, { contact });
    const [own, theirs] = [await linkPlatform(), await linkPlatform(uniqueEmail())];
    await login.ask("DELETE", "/sessions");
    expect(await testTokens(own)).toEqual({ access: false, refresh: false });
    expect(await testTokens(theirs)).toEqual({ access: true, refresh: true });
  });

  it("leaves platforms linked when one session ends", async () => {
    const login = await createLogin(shop, { contact });
    const own = await linkPlatform();
    const [session] = dataOf(await login.ask("GET", "/sessions"));
    await login.ask("DELETE", `/sessions/${session.id}`);
    expect(await testTokens(own)).toEqual({ access: true, refresh: true });
  });
});
