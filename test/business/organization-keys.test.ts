import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { runtime } from "../../functions/runtime/runtime.ts";
import { type CreatedBusiness, keyRepo } from "../../shared/businesses/index.ts";
import { createMeter, openDb } from "../../shared/database/index.ts";
import { withBindings } from "../support/bindings.ts";
import { refusal, success, valueAt } from "../support/responses.ts";
import {
  type ApiResponse,
  call,
  createBusiness,
  merchant,
  operator,
  roundTrips,
} from "../support/world.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const advanceClock = (ms: number) => vi.setSystemTime(Date.now() + ms);

const pathOf = (organizationId: string) => `/v1/organizations/${organizationId}/keys`;
const secret = { kind: "secret", scopes: ["*"], label: "Head office" };

/** Creates an organization of two businesses; the first is the default one. */
async function createOrganization(defaultMode: "live" | "test" = "test") {
  const organizationId = runtime.newId("org");
  const first = await createBusiness({ name: "First", organizationId, mode: defaultMode });
  const second = await createBusiness({ name: "Second", organizationId });
  return { organizationId, path: pathOf(organizationId), first, second };
}

const createOrganizationKey = (path: string, body: object = secret) =>
  operator("POST", path, { body });

async function createKeyText(path: string, body: object = secret): Promise<string> {
  const created = await createOrganizationKey(path, body);
  expect(created.status).toBe(201);
  return String(valueAt(created, "data.key"));
}

const publishable = { kind: "publishable" };

/** GET /business of the storefront with a key. */
const getPublicBusiness = (key: string, businessId: string | null = null): Promise<ApiResponse> =>
  call("GET", "/api/v1/business", {
    headers: { "X-API-Key": key, ...(businessId !== null && { "X-Business-Id": businessId }) },
  });

/** GET of a business at the business API with a key. */
const getBusiness = (key: string, { business }: CreatedBusiness): Promise<ApiResponse> =>
  call("GET", `/v1/businesses/${business.id}`, { headers: { "X-API-Key": key } });

const forbidden = { status: 403, body: refusal("FORBIDDEN") };
const notFound = { status: 404, body: refusal("NOT_FOUND") };
const unauthorized = { status: 401, body: refusal("UNAUTHORIZED") };

describe("a secret key of an organization", () => {
  it("has access to every business of the organization, and to no other", async () => {
    const { path, first, second } = await createOrganization();
    const key = await createKeyText(path);
    for (const { business } of [first, second]) {
      expect(await getBusiness(key, { business, keys: first.keys })).toMatchObject({
        status: 200,
        body: success({ id: business.id, name: business.name }),
      });
      const created = await call("POST", `/v1/businesses/${business.id}/products`, {
        headers: { "X-API-Key": key },
        body: { name: `Tea of ${business.name}`, default_price: "3" },
      });
      expect(created.status).toBe(201);
    }
    const listed = await merchant(second)("GET", "/products");
    expect(valueAt(listed, "data.items")).toMatchObject([{ name: "Tea of Second" }]);
    expect(await getBusiness(key, await createBusiness())).toMatchObject(forbidden);
    expect(await getBusiness(key, (await createOrganization()).first)).toMatchObject(forbidden);
  });

  it("uses the business in X-Business-Id, or else the default one", async () => {
    const { path, first, second } = await createOrganization();
    const headers = { "X-API-Key": await createKeyText(path) };
    const receiver = { url: "https://receiver.example.com/hook", events: ["order.created"] };
    const named = { ...headers, "X-Business-Id": second.business.id };
    const created = await call("POST", "/api/v1/webhooks", { headers: named, body: receiver });
    expect(created.status).toBe(200);
    const webhooksOf = async (more: object) =>
      valueAt(await call("GET", "/api/v1/webhooks", { headers: { ...headers, ...more } }), "data");
    expect(await webhooksOf({ "X-Business-Id": second.business.id })).toHaveLength(1);
    expect(await webhooksOf({})).toEqual([]);
    expect(await webhooksOf({ "X-Business-Id": first.business.id })).toEqual([]);
    const outside = { ...headers, "X-Business-Id": (await createBusiness()).business.id };
    expect(await call("GET", "/api/v1/webhooks", { headers: outside })).toMatchObject(forbidden);
  });

  it("has only its scopes", async () => {
    const { path, second } = await createOrganization();
    const key = await createKeyText(path, { kind: "secret", scopes: ["catalogue:read"] });
    expect(await getBusiness(key, second)).toMatchObject(forbidden);
    const products = await call("GET", `/v1/businesses/${second.business.id}/products`, {
      headers: { "X-API-Key": key },
    });
    expect(products.status).toBe(200);
  });

  it("has access to a business that is added later", async () => {
    const { organizationId, path } = await createOrganization();
    const key = await createKeyText(path);
    expect((await getBusiness(key, await createBusiness({ organizationId }))).status).toBe(200);
  });
});

describe("a publishable key of an organization", () => {
  it("uses the default business without X-Business-Id, and the named one with it", async () => {
    const { path, first, second } = await createOrganization();
    const key = await createKeyText(path, publishable);
    expect(key).toMatch(/^pk_test_/);
    for (const [businessId, expected] of [
      [null, first],
      [first.business.id, first],
      [second.business.id, second],
    ] as const)
      expect(await getPublicBusiness(key, businessId)).toMatchObject({
        status: 200,
        body: success({ id: expected.business.id, name: expected.business.name }),
      });
    expect(await getPublicBusiness(key, (await createBusiness()).business.id)).toMatchObject(
      forbidden,
    );
    expect(await getPublicBusiness(key, "biz_unknown")).toMatchObject(forbidden);
  });

  it("adds to carts of the named business only", async () => {
    const { path, second } = await createOrganization();
    const key = await createKeyText(path, publishable);
    const body = { name: "Tea", default_price: "3" };
    const item_id = valueAt(await merchant(second)("POST", "/products", { body }), "data.id");
    const add = (more: object) =>
      call("POST", "/api/v1/cart/items", {
        headers: { "X-Public-Key": key, ...more },
        body: { item_id },
      });
    const added = await add({ "X-Business-Id": second.business.id });
    expect(added.body).toMatchObject(success({ business_id: second.business.id, item_count: 1 }));
    expect(await add({})).toMatchObject(notFound);
  });
});

describe("the mode of an organization's key", () => {
  it("defaults to that of the default business, and limits the key to businesses of that mode", async () => {
    const { path, first, second } = await createOrganization("live");
    const [live, test] = [
      await createKeyText(path, publishable),
      await createKeyText(path, { ...publishable, mode: "test" }),
    ];
    expect([live, test]).toEqual([
      expect.stringMatching(/^pk_live_/),
      expect.stringMatching(/^pk_test_/),
    ]);
    expect((await getPublicBusiness(live)).status).toBe(200);
    expect((await getPublicBusiness(test, second.business.id)).status).toBe(200);
    for (const [key, businessId] of [
      [live, second.business.id],
      [test, first.business.id],
      [test, null], // the default business is live
    ] as const)
      expect(await getPublicBusiness(key, businessId)).toMatchObject(unauthorized);
  });
});

describe("POST /v1/organizations/{organization_id}/keys", () => {
  it("returns the key's text only once, and stores only its hash", async () => {
    const { path, first } = await createOrganization();
    const created = await createOrganizationKey(path);
    expect(created).toMatchObject({
      status: 201,
      body: success({
        ...secret,
        id: expect.stringMatching(/^key_/),
        key: expect.stringMatching(/^sk_test_[0-9a-f]{40}$/),
        mode: "test",
        revoked_at: null,
      }),
    });
    const responses = [await operator("GET", path), await merchant(first)("GET", "/audit")];
    expect(JSON.stringify(responses.map(({ body }) => body))).not.toContain(
      valueAt(created, "data.key"),
    );
  });

  it("adds an audit entry of the operator to the default business", async () => {
    const { organizationId, path, first, second } = await createOrganization();
    const id = valueAt(await createOrganizationKey(path), "data.id");
    const entry = { actor: "operator", action: "key.created", entity: id };
    const after = { owner: { type: "organization", id: organizationId } };
    expect((await merchant(first)("GET", `/audit?entity=${id}`)).body).toMatchObject(
      success({ items: [{ ...entry, after }] }),
    );
    expect(valueAt(await merchant(second)("GET", `/audit?entity=${id}`), "data.items")).toEqual([]);
  });

  it("creates one key for repeats of an Idempotency-Key, and returns its text again", async () => {
    const { path } = await createOrganization();
    const headers = { "Idempotency-Key": "once" };
    const [first, again] = [
      await operator("POST", path, { body: secret, headers }),
      await operator("POST", path, { body: secret, headers }),
    ];
    expect(again.headers.get("Idempotency-Replayed")).toBe("true");
    expect(again.body).toEqual(first.body);
    expect(valueAt(await operator("GET", path), "data.items")).toHaveLength(1);
  });

  it.each([
    ["kind", {}],
    ["scopes", { kind: "secret" }],
    ["scopes", { kind: "publishable", scopes: ["*"] }],
    ["mode", { ...publishable, mode: "demo" }],
  ])("refuses an invalid %s, as in %j", async (field, body) => {
    const { path } = await createOrganization();
    expect(await createOrganizationKey(path, body)).toMatchObject({
      status: 400,
      body: refusal("VALIDATION_ERROR", { context: { field } }),
    });
  });
});

describe("GET /v1/organizations/{organization_id}/keys", () => {
  it("lists only the organization's keys in pages, newest first", async () => {
    const { path, first } = await createOrganization();
    const other = await createOrganization();
    await createKeyText(other.path);
    for (const label of ["One", "Two", "Three"]) await createKeyText(path, { ...secret, label });
    const page = await operator("GET", `${path}?limit=2`);
    expect(page.body).toMatchObject(
      success({
        items: [{ label: "Three" }, { label: "Two" }],
        pagination: { limit: 2, has_more: true },
      }),
    );
    const cursor = valueAt(page, "data.pagination.next_cursor");
    expect((await operator("GET", `${path}?limit=2&cursor=${cursor}`)).body).toMatchObject(
      success({
        items: [{ label: "One" }],
        pagination: { limit: 2, next_cursor: null, has_more: false },
      }),
    );
    expect(valueAt(await merchant(first)("GET", "/keys"), "data.items")).toHaveLength(3); // its own
  });
});

describe("DELETE /v1/organizations/{organization_id}/keys/{key_id}", () => {
  it("stops the key at every business within 10 seconds, and changes nothing when repeated", async () => {
    const { path, first, second } = await createOrganization();
    const created = await createOrganizationKey(path);
    const key = String(valueAt(created, "data.key"));
    for (const shop of [first, second]) expect((await getBusiness(key, shop)).status).toBe(200);

    const own = `${path}/${valueAt(created, "data.id")}`;
    const revoked = await operator("DELETE", own);
    expect(revoked).toMatchObject({
      status: 200,
      body: success({ revoked_at: expect.any(String) }),
    });
    advanceClock(5_001);
    for (const shop of [first, second])
      expect(await getBusiness(key, shop)).toMatchObject(unauthorized);
    expect(valueAt(await operator("GET", path), "data.items")).toEqual([valueAt(revoked, "data")]);

    expect((await operator("DELETE", own)).body).toEqual(revoked.body);
    const entries = await merchant(first)("GET", `/audit?entity=${valueAt(created, "data.id")}`);
    expect(valueAt(entries, "data.items")).toMatchObject([
      { action: "key.revoked", actor: "operator" },
      { action: "key.created" },
    ]);
  });

  it("responds 404 to the key of another organization or of a business, and revokes neither", async () => {
    const { path, first } = await createOrganization();
    const other = await createOrganization();
    const foreign = await createOrganizationKey(other.path);
    const own = valueAt(await merchant(first)("GET", "/keys"), "data.items.0.id");
    for (const id of [valueAt(foreign, "data.id"), own, "key_unknown"])
      expect(await operator("DELETE", `${path}/${id}`)).toMatchObject(notFound);
    expect((await getBusiness(String(valueAt(foreign, "data.key")), other.second)).status).toBe(
      200,
    );
    expect(valueAt(await merchant(first)("GET", "/keys"), "data.items.0.revoked_at")).toBeNull();
  });

  it("can be neither read nor revoked by a business of the organization", async () => {
    const { path, first } = await createOrganization();
    const created = await createOrganizationKey(path);
    for (const method of ["GET", "DELETE"])
      expect(await merchant(first)(method, `/keys/${valueAt(created, "data.id")}`)).toMatchObject(
        notFound,
      );
    expect((await getBusiness(String(valueAt(created, "data.key")), first)).status).toBe(200);
  });
});

describe.each([
  ["GET", ""],
  ["POST", ""],
  ["DELETE", "/key_1"],
])("%s /v1/organizations/{organization_id}/keys%s", (method, subpath) => {
  const body = method === "POST" ? { body: secret } : {};

  it("responds 404 to an unknown organization", async () => {
    const path = `${pathOf("org_unknown")}${subpath}`;
    expect(await operator(method, path, body)).toMatchObject(notFound);
  });

  it("requires the operator's token, and responds 404 in a deployment without one", async () => {
    const { path } = await createOrganization();
    const key = await createKeyText(path);
    const headers = { "X-API-Key": key, Authorization: `Bearer ${key}` };
    expect(await call(method, `${path}${subpath}`, { ...body, headers })).toMatchObject(
      unauthorized,
    );
    const by = withBindings({ OPERATOR_TOKEN: undefined });
    expect(await operator(method, `${path}${subpath}`, { ...body, fetch: by })).toMatchObject(
      notFound,
    );
    expect(valueAt(await operator("GET", path), "data.items")).toMatchObject([
      { revoked_at: null },
    ]);
  });
});

describe("key look-ups", () => {
  it("take one round trip for the key and its business", async () => {
    const { path, second } = await createOrganization();
    const key = await createKeyText(path, publishable);
    for (const businessId of [null, second.business.id])
      expect(roundTrips(await getPublicBusiness(key, businessId)).d1).toBe(1);
  });

  it.each(["business", "organization"] as const)(
    "read a page of the keys of a(n) %s in index order",
    async (type) => {
      const queries: string[] = [];
      const recording: Pick<D1Database, "prepare" | "batch"> = {
        prepare: (query) => {
          queries.push(query);
          return env.CORE.prepare(query);
        },
        batch: (statements) => env.CORE.batch(statements),
      };
      const keys = keyRepo(openDb(recording, createMeter()), { type, id: "any" });
      await keys.list({ limit: 21, before: "key_any" });
      const [query] = queries;
      const { results } = await env.CORE.prepare(`explain query plan ${query}`)
        .bind("any", "key_any", 21)
        .all();
      expect(results.map(({ detail }) => detail)).toEqual([
        `SEARCH api_keys USING INDEX api_keys_of_${type} (${type}_id=? AND id<?)`,
      ]);
    },
  );
});
