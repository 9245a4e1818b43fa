import { env, exports } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { runtime } from "../../functions/runtime/runtime.ts";
import { settingsOf } from "../../functions/runtime/settings.ts";
import {
  loadPublishedKeys,
  loadSigningKey,
  newestRelease,
  type Release,
  releases,
  retiredKeyTtlMs,
  rotateSigningKey,
  signMessage,
  toPublicJwk,
  verifyMessage,
} from "../../shared/agents/index.ts";
import { createMeter, openDb } from "../../shared/database/index.ts";
import { contextFor, createBusiness, type TestBusiness } from "../support/world.ts";
import { assertValid } from "./validator.ts";

const origin = "https://duka.example";

const get = (path: string, headers: Record<string, string> = {}) =>
  exports.default.fetch(new Request(origin + path, { headers }));

async function readProfile(slug: string, release: Release | null = null) {
  const path = `/agents/${slug}/.well-known/ucp${release === null ? "" : `/${release}`}`;
  const response = await get(path);
  expect(response.status).toBe(200);
  return Object(await response.json());
}

describe("a business's profile", () => {
  it("names the newest release, and the profile of the other", async () => {
    const { business } = await createBusiness();
    const profile = await readProfile(business.slug);
    const address = `${origin}/agents/${business.slug}`;
    expect(profile.ucp).toMatchObject({
      version: newestRelease,
      supported_versions: { "2026-04-08": `${address}/.well-known/ucp/2026-04-08` },
    });
    expect(
      profile.ucp.services["dev.ucp.shopping"].map((one: Record<string, unknown>) => [
        one.transport,
        one.endpoint,
      ]),
    ).toEqual([
      ["rest", `${address}/ucp`],
      ["mcp", `${address}/ucp/mcp`],
    ]);
  });

  it.each(releases)("is valid in %s, and has its keys under both names", async (release) => {
    const { business } = await createBusiness();
    const profile = await readProfile(business.slug, release);
    await assertValid(release, "business_profile", profile);
    expect(profile.ucp.version).toBe(release);
    expect(profile.ucp).not.toHaveProperty("supported_versions");
    expect(profile.keys).toHaveLength(1);
    expect(profile.keys[0]).not.toHaveProperty("d");
    expect(profile.signing_keys).toEqual(profile.keys);
    const versions = Object.values(profile.ucp.capabilities).map((list) => Object(list)[0].version);
    expect(new Set(versions)).toEqual(new Set([release]));
  });

  it("has addresses of the business's own domain when it is called there", async () => {
    const { business } = await createBusiness();
    const response = await get(`/agents/${business.slug}/.well-known/ucp`, {
      "X-Shop-Domain": business.slug,
    });
    const { ucp } = Object(await response.json());
    expect(ucp.services["dev.ucp.shopping"][0].endpoint).toBe(`${origin}/ucp`);
  });

  it("may be cached, and is not sent again while it is unchanged", async () => {
    const { business } = await createBusiness();
    const path = `/agents/${business.slug}/.well-known/ucp`;
    const response = await get(path);
    expect(response.headers.get("Cache-Control")).toBe("public, max-age=300");
    const tag = response.headers.get("ETag") ?? "";
    await response.text();
    const repeated = await get(path, { "If-None-Match": `"other", W/${tag}` });
    expect(repeated.status).toBe(304);
    expect((await get(path, { "If-None-Match": '"other"' })).status).toBe(200);
  });

  it("offers the payment methods of the business's settings", async () => {
    const { business } = await createBusiness();
    const { ucp } = await readProfile(business.slug);
    expect(Object.keys(ucp.payment_handlers).sort()).toEqual([
      "dev.duka.cash_on_delivery",
      "dev.duka.mobile_money",
      "dev.duka.sandbox",
    ]);
    const cashOnly = await createBusiness({ settings: { paymentMethods: ["cash"] } });
    const { ucp: other } = await readProfile(cashOnly.business.slug);
    expect(Object.keys(other.payment_handlers)).toEqual(["dev.duka.cash_on_delivery"]);
  });

  it("does not exist for other businesses, other paths and other releases", async () => {
    const { business } = await createBusiness();
    for (const path of [
      "/agents/no-such-business/.well-known/ucp",
      `/agents/${business.slug}/.well-known/ucp/2026-01-11`,
      `/agents/${business.slug}/.well-known/other`,
      `/agents/${business.slug}/unknown`,
    ]) {
      const response = await get(path);
      expect([path, response.status]).toEqual([path, 404]);
      expect(await response.json()).toMatchObject({ code: "not_found" });
    }
  });
});

describe("a business that does not sell", () => {
  it.each([
    ["suspended", "suspended_at", 503, "service_unavailable"],
    ["closed", "closed_at", 404, "not_found"],
  ])("has an error of the protocol while it is %s", async (_, column, status, code) => {
    const { business } = await createBusiness();
    await env.CORE.prepare(`update businesses set ${column} = 1 where id = ?`)
      .bind(business.id)
      .run();
    const response = await get(`/agents/${business.slug}/.well-known/ucp`);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ code });
    expect(response.headers.get("Retry-After")).toBe(status === 503 ? "60" : null);
  });
});

describe("the signing keys of a business", () => {
  const core = () => openDb(env.CORE, createMeter());
  const keyring = () => settingsOf(env).credentialsKeyring;
  const keyContext = () => ({ ...runtime, core: core(), keyring: keyring() });

  const rotate = (shop: TestBusiness, withdrawsEarlier = false) =>
    rotateSigningKey(
      { ...contextFor(shop), core: core() },
      { keys: keyContext(), withdrawsEarlier },
    );

  async function canVerify(shop: TestBusiness, key: Awaited<ReturnType<typeof loadSigningKey>>) {
    if (!key) throw new Error("There is no signing key.");
    const message = {
      type: "response" as const,
      status: 200,
      headers: new Headers(),
      body: new Uint8Array(),
    };
    const added = await signMessage(message, { key, createdAt: runtime.now() });
    const published = await loadPublishedKeys(keyContext(), shop.business.id);
    const signed = { ...message, headers: new Headers({ ...added }) };
    const options = { keys: published.map(toPublicJwk), now: runtime.now() };
    return (await verifyMessage(signed, options)).type === "verified";
  }

  it("sign what the published key verifies", async () => {
    const shop = await createBusiness();
    expect(await canVerify(shop, await loadSigningKey(keyContext(), shop.business.id))).toBe(true);
  });

  it("are created once, although several requests come first together", async () => {
    const { business } = await createBusiness();
    const keys = await Promise.all(
      Array.from({ length: 5 }, () => loadSigningKey(keyContext(), business.id)),
    );
    expect(new Set(keys.map((key) => key?.kid)).size).toBe(1);
    expect(await loadPublishedKeys(keyContext(), business.id)).toHaveLength(1);
  });

  it("are stored encrypted, and open for their own business only", async () => {
    const shop = await createBusiness();
    const other = await createBusiness();
    await loadSigningKey(keyContext(), shop.business.id);
    await loadSigningKey(keyContext(), other.business.id);
    const { results } = await env.CORE.prepare(
      "select sealed_private_key from agent_signing_keys where business_id = ?",
    )
      .bind(shop.business.id)
      .all<{ sealed_private_key: string }>();
    expect(results).toHaveLength(1);
    const sealed = results[0]?.sealed_private_key ?? "";
    expect(() => JSON.parse(atob(sealed))).toThrow();
    await env.CORE.prepare(
      "update agent_signing_keys set sealed_private_key = ? where business_id = ?",
    )
      .bind(sealed, other.business.id)
      .run();
    await expect(loadSigningKey(keyContext(), other.business.id)).rejects.toThrow(/does not open/);
  });

  it("overlap when they are rotated", async () => {
    const shop = await createBusiness();
    const first = await loadSigningKey(keyContext(), shop.business.id);
    const rotated = await rotate(shop);
    expect(rotated).toHaveLength(2);
    const second = await loadSigningKey(keyContext(), shop.business.id);
    expect(second?.kid).not.toBe(first?.kid);
    expect(rotated[0]?.kid).toBe(second?.kid);
    expect(await canVerify(shop, first)).toBe(true);
    expect(await canVerify(shop, second)).toBe(true);
    const later = { ...keyContext(), now: () => runtime.now() + retiredKeyTtlMs };
    const published = await loadPublishedKeys(later, shop.business.id);
    expect(published.map(({ kid }) => kid)).toEqual([second?.kid]);
  });

  it("leave the profile at once when they are withdrawn", async () => {
    const shop = await createBusiness();
    const first = await loadSigningKey(keyContext(), shop.business.id);
    expect(await rotate(shop, true)).toHaveLength(1);
    expect(await canVerify(shop, first)).toBe(false);
  });

  it("stay one when they are rotated twice at the same time", async () => {
    const shop = await createBusiness();
    await Promise.all([rotate(shop), rotate(shop)]);
    const published = await loadPublishedKeys(keyContext(), shop.business.id);
    expect(published.filter(({ retiredAt }) => retiredAt === null)).toHaveLength(1);
  });

  it("are missing in a deployment that cannot store them", async () => {
    const shop = await createBusiness();
    const without = { ...keyContext(), keyring: [] };
    expect(await loadSigningKey(without, shop.business.id)).toBeNull();
    expect(await loadPublishedKeys(without, shop.business.id)).toEqual([]);
  });
});
