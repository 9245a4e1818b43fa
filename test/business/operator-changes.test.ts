import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { runtime } from "../../functions/runtime/runtime.ts";
import { revokeKey } from "../../shared/businesses/index.ts";
import { createMeter, openDb } from "../../shared/database/index.ts";
import { createKey } from "../support/create-key.ts";
import { refusal, success, valueAt } from "../support/responses.ts";
import { call, contextFor, createBusiness, merchant, operator } from "../support/world.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const advanceClock = (ms: number) => vi.setSystemTime(Date.now() + ms);

const fullKey = { kind: "secret", scopes: ["*"], label: "Spare" };

/** The ids of the business's active secret keys. */
async function listSecretKeys(businessId: string): Promise<string[]> {
  const { results } = await env.CORE.prepare(
    "select id from api_keys where business_id = ? and kind = 'secret' and revoked_at is null order by id",
  )
    .bind(businessId)
    .all<{ id: string }>();
  return results.map(({ id }) => id);
}

describe("the last secret key that can manage keys", () => {
  it("cannot be revoked until another one exists", async () => {
    const shop = await createBusiness();
    const ask = merchant(shop);
    const [id] = await listSecretKeys(shop.business.id);
    const refused = await ask("DELETE", `/keys/${id}`);
    expect(refused).toMatchObject({
      status: 422,
      body: refusal("BUSINESS_RULE_VIOLATION", { context: { rule: "LAST_KEY" } }),
    });
    expect(valueAt(await ask("GET", `/audit?entity=${id}`), "data.items")).toEqual([]);

    await createKey(shop, { scopes: ["settings:write", "keys:read"] }); // cannot create keys
    await createKey(shop, { kind: "publishable", scopes: [] });
    expect((await ask("DELETE", `/keys/${id}`)).status).toBe(422);

    await createKey(shop, { scopes: ["keys:write"] });
    expect((await ask("DELETE", `/keys/${id}`)).status).toBe(200);
    expect((await ask("DELETE", `/keys/${id}`)).status).toBe(200); // cached for 5 s, and revoked already
  });

  it("survives two revocations at the same moment", async () => {
    const shop = await createBusiness();
    await createKey(shop);
    const [one = "", other = ""] = await listSecretKeys(shop.business.id);
    const revocationOf = (id: string) => ({ id, heldScopes: ["*"] as const });
    /** A database in which the other key is revoked after this call has read, and before it writes. */
    const core = openDb(
      {
        prepare: (query) => env.CORE.prepare(query),
        async batch<T>(statements: D1PreparedStatement[]) {
          await revokeKey(
            { ...contextFor(shop), core: openDb(env.CORE, createMeter()) },
            revocationOf(other),
          );
          return env.CORE.batch<T>(statements);
        },
      },
      createMeter(),
    );
    await expect(revokeKey({ ...contextFor(shop), core }, revocationOf(one))).rejects.toMatchObject(
      {
        code: "CONFLICT",
      },
    );
    expect(await listSecretKeys(shop.business.id)).toEqual([one]);
  });

  it("does not protect keys of other kinds", async () => {
    const shop = await createBusiness();
    const created = await merchant(shop)("POST", "/keys", { body: { kind: "publishable" } });
    const revoked = await merchant(shop)("DELETE", `/keys/${valueAt(created, "data.id")}`);
    expect(revoked.status).toBe(200);
  });
});

describe("POST /v1/businesses/{business_id}/keys by the operator", () => {
  it("creates a key of any scope for a business that has lost its own", async () => {
    const shop = await createBusiness();
    await env.CORE.prepare("update api_keys set revoked_at = 1 where business_id = ?")
      .bind(shop.business.id)
      .run();
    const path = `/v1/businesses/${shop.business.id}/keys`;
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    const created = await operator("POST", path, { body: fullKey, headers });
    expect(created).toMatchObject({ status: 201, body: success({ ...fullKey, mode: "test" }) });
    const again = await operator("POST", path, { body: fullKey, headers });
    expect(again.headers.get("Idempotency-Replayed")).toBe("true");
    expect(again.body).toEqual(created.body);

    const secret = String(valueAt(created, "data.key"));
    const ask = merchant({ ...shop, keys: { ...shop.keys, secret } });
    expect((await ask("GET", "/keys")).status).toBe(200);
    const audit = await ask("GET", `/audit?entity=${valueAt(created, "data.id")}`);
    expect(audit.body).toMatchObject(
      success({ items: [{ actor: "operator", action: "key.created" }] }),
    );
  });

  it("responds 404 for an unknown business, 401 to another token and without any credential", async () => {
    const { business } = await createBusiness();
    const ask = (id: string, headers: Record<string, string>) =>
      call("POST", `/v1/businesses/${id}/keys`, { body: fullKey, headers });
    const token = { Authorization: `Bearer ${env.OPERATOR_TOKEN}` };
    expect((await ask("biz_unknown", token)).status).toBe(404);
    expect((await ask(business.id, { Authorization: "Bearer wrong-operator-token" })).status).toBe(
      401,
    );
    expect((await ask(business.id, {})).status).toBe(401);
  });
});

describe("PATCH /v1/businesses/{business_id} by the operator", () => {
  const getBusiness = (key: string, businessId: string | null = null) =>
    call("GET", "/api/v1/business", {
      headers: { "X-Public-Key": key, ...(businessId !== null && { "X-Business-Id": businessId }) },
    });

  /** An organization with one business, and its publishable key. */
  async function createOrganization() {
    const organizationId = runtime.newId("org");
    const first = await createBusiness({ organizationId });
    const created = await operator("POST", `/v1/organizations/${organizationId}/keys`, {
      body: { kind: "publishable" },
    });
    return { organizationId, first, key: String(valueAt(created, "data.key")) };
  }

  const setOrganization = (businessId: string, organization_id: string | null) =>
    operator("PATCH", `/v1/businesses/${businessId}`, { body: { organization_id } });

  it("moves a business into an organization and out of it again", async () => {
    const { organizationId, key } = await createOrganization();
    const { business } = await createBusiness();
    expect((await getBusiness(key, business.id)).status).toBe(403);
    const joined = await setOrganization(business.id, organizationId);
    expect(joined).toMatchObject({
      status: 200,
      body: success({ organization_id: organizationId }),
    });
    advanceClock(10_000);
    expect((await getBusiness(key, business.id)).status).toBe(200);
    await setOrganization(business.id, null);
    advanceClock(10_000);
    expect((await getBusiness(key, business.id)).status).toBe(403);
  });

  it("founds an organization that does not exist yet", async () => {
    const { business } = await createBusiness();
    const organizationId = runtime.newId("org");
    await setOrganization(business.id, organizationId);
    const created = await operator("POST", `/v1/organizations/${organizationId}/keys`, {
      body: { kind: "publishable" },
    });
    const read = await getBusiness(String(valueAt(created, "data.key")));
    expect(read.body).toMatchObject(success({ id: business.id }));
  });

  it("makes the oldest remaining business the default one when the default one leaves", async () => {
    const { organizationId, first, key } = await createOrganization();
    const [second] = [
      await createBusiness({ organizationId }),
      await createBusiness({ organizationId }),
    ];
    await setOrganization(first.business.id, null);
    advanceClock(10_000);
    expect((await getBusiness(key)).body).toMatchObject(success({ id: second.business.id }));
  });

  it("leaves an organization without a default business until one joins", async () => {
    const { organizationId, first, key } = await createOrganization();
    await setOrganization(first.business.id, null);
    advanceClock(10_000);
    expect((await getBusiness(key)).status).toBe(403);
    expect((await operator("GET", `/v1/organizations/${organizationId}/keys`)).status).toBe(404);
    const { business } = await createBusiness({ organizationId });
    advanceClock(10_000);
    expect((await getBusiness(key)).body).toMatchObject(success({ id: business.id }));
  });

  it("is refused to a merchant, who may send the current organization back", async () => {
    const shop = await createBusiness();
    const { organizationId } = await createOrganization();
    const patch = (organization_id: string | null) =>
      merchant(shop)("PATCH", "", { body: { organization_id, low_stock_threshold: 3 } });
    expect(await patch(organizationId)).toMatchObject({ status: 403, body: refusal("FORBIDDEN") });
    expect((await patch(null)).status).toBe(200);
    const { business } = shop;
    expect(await setOrganization(business.id, "org_NOT")).toMatchObject({
      status: 400,
      body: refusal("VALIDATION_ERROR", { context: { field: "organization_id" } }),
    });
  });
});
