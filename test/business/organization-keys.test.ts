import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { chance } from "../../functions/runtime/runtime.ts";
import { type CreatedBusiness, keyRepo } from "../../shared/businesses/index.ts";
import { openDb } from "../../shared/database/index.ts";
import { createMeter } from "../../shared/kernel/index.ts";
import { asOperator } from "../http/foreign-callers.ts";
import { withBindings } from "../support/bindings.ts";
import { type Answer, call, givenBusiness, merchant, roundTrips } from "../support/world.ts";
import { at, refusal, success } from "./given.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const later = (ms: number) => vi.setSystemTime(Date.now() + ms);

const pathOf = (organizationId: string) => `/v1/organizations/${organizationId}/keys`;
const secret = { kind: "secret", scopes: ["*"], label: "Head office" };

/** An organization of two businesses, the first of which is the default one. */
async function givenSisters(defaultMode: "live" | "test" = "test") {
  const organizationId = chance.newId("org");
  const first = await givenBusiness({ name: "First", organizationId, mode: defaultMode });
  const second = await givenBusiness({ name: "Second", organizationId });
  return { organizationId, path: pathOf(organizationId), first, second };
}

const make = (path: string, body: object = secret) => asOperator("POST", path, { body });

async function givenKeyOf(path: string, body: object = secret): Promise<string> {
  const made = await make(path, body);
  expect(made.status).toBe(201);
  return String(at(made, "data.key"));
}

const publishable = { kind: "publishable" };

/** The business that a key finds at the storefront. */
const shopOf = (key: string, wanted: string | null = null): Promise<Answer> =>
  call("GET", "/api/v1/business", {
    headers: { "X-API-Key": key, ...(wanted !== null && { "X-Business-Id": wanted }) },
  });

/** What a key finds at the merchant's surface. */
const keptBy = (key: string, { business }: CreatedBusiness): Promise<Answer> =>
  call("GET", `/v1/businesses/${business.id}`, { headers: { "X-API-Key": key } });

const forbidden = { status: 403, body: refusal("FORBIDDEN") };
const notFound = { status: 404, body: refusal("NOT_FOUND") };
const unauthorized = { status: 401, body: refusal("UNAUTHORIZED") };

describe("a secret key of an organization", () => {
  it("is the merchant's at every business of it, and at no other", async () => {
    const { path, first, second } = await givenSisters();
    const key = await givenKeyOf(path);
    for (const { business } of [first, second]) {
      expect(await keptBy(key, { business, keys: first.keys })).toMatchObject({
        status: 200,
        body: success({ id: business.id, name: business.name }),
      });
      const made = await call("POST", `/v1/businesses/${business.id}/products`, {
        headers: { "X-API-Key": key },
        body: { name: `Tea of ${business.name}`, default_price: "3" },
      });
      expect(made.status).toBe(201);
    }
    const listed = await merchant(second)("GET", "/products");
    expect(at(listed, "data.items")).toMatchObject([{ name: "Tea of Second" }]);
    expect(await keptBy(key, await givenBusiness())).toMatchObject(forbidden);
    expect(await keptBy(key, (await givenSisters()).first)).toMatchObject(forbidden);
  });

  it("is of the business that X-Business-Id names, or else of the default one", async () => {
    const { path, first, second } = await givenSisters();
    const headers = { "X-API-Key": await givenKeyOf(path) };
    const receiver = { url: "https://receiver.example.com/hook", events: ["order.created"] };
    const named = { ...headers, "X-Business-Id": second.business.id };
    const made = await call("POST", "/api/v1/webhooks", { headers: named, body: receiver });
    expect(made.status).toBe(200);
    const webhooksOf = async (more: object) =>
      at(await call("GET", "/api/v1/webhooks", { headers: { ...headers, ...more } }), "data");
    expect(await webhooksOf({ "X-Business-Id": second.business.id })).toHaveLength(1);
    expect(await webhooksOf({})).toEqual([]);
    expect(await webhooksOf({ "X-Business-Id": first.business.id })).toEqual([]);
    const outside = { ...headers, "X-Business-Id": (await givenBusiness()).business.id };
    expect(await call("GET", "/api/v1/webhooks", { headers: outside })).toMatchObject(forbidden);
  });

  it("has its scopes and no more", async () => {
    const { path, second } = await givenSisters();
    const key = await givenKeyOf(path, { kind: "secret", scopes: ["catalogue:read"] });
    expect(await keptBy(key, second)).toMatchObject(forbidden);
    const products = await call("GET", `/v1/businesses/${second.business.id}/products`, {
      headers: { "X-API-Key": key },
    });
    expect(products.status).toBe(200);
  });

  it("serves a business that joins the organization later", async () => {
    const { organizationId, path } = await givenSisters();
    const key = await givenKeyOf(path);
    expect((await keptBy(key, await givenBusiness({ organizationId }))).status).toBe(200);
  });
});

describe("a publishable key of an organization", () => {
  it("shows the default business's shop without X-Business-Id, and the named one's with it", async () => {
    const { path, first, second } = await givenSisters();
    const key = await givenKeyOf(path, publishable);
    expect(key).toMatch(/^pk_test_/);
    for (const [wanted, shown] of [
      [null, first],
      [first.business.id, first],
      [second.business.id, second],
    ] as const)
      expect(await shopOf(key, wanted)).toMatchObject({
        status: 200,
        body: success({ id: shown.business.id, name: shown.business.name }),
      });
    expect(await shopOf(key, (await givenBusiness()).business.id)).toMatchObject(forbidden);
    expect(await shopOf(key, "biz_nobodys")).toMatchObject(forbidden);
  });

  it("sells in the cart of the named business alone", async () => {
    const { path, second } = await givenSisters();
    const key = await givenKeyOf(path, publishable);
    const body = { name: "Tea", default_price: "3" };
    const item_id = at(await merchant(second)("POST", "/products", { body }), "data.id");
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
  it("is the default business's unless it is said, and the key serves businesses of it alone", async () => {
    const { path, first, second } = await givenSisters("live");
    const [live, test] = [
      await givenKeyOf(path, publishable),
      await givenKeyOf(path, { ...publishable, mode: "test" }),
    ];
    expect([live, test]).toEqual([
      expect.stringMatching(/^pk_live_/),
      expect.stringMatching(/^pk_test_/),
    ]);
    expect((await shopOf(live)).status).toBe(200);
    expect((await shopOf(test, second.business.id)).status).toBe(200);
    for (const [key, wanted] of [
      [live, second.business.id],
      [test, first.business.id],
      [test, null], // the default business is live
    ] as const)
      expect(await shopOf(key, wanted)).toMatchObject(unauthorized);
  });
});

describe("POST /v1/organizations/{organization_id}/keys", () => {
  it("shows the key's text in this answer only, and keeps its digest alone", async () => {
    const { path, first } = await givenSisters();
    const made = await make(path);
    expect(made).toMatchObject({
      status: 201,
      body: success({
        ...secret,
        id: expect.stringMatching(/^key_/),
        key: expect.stringMatching(/^sk_test_[0-9a-f]{40}$/),
        mode: "test",
        revoked_at: null,
      }),
    });
    const told = [await asOperator("GET", path), await merchant(first)("GET", "/audit")];
    expect(JSON.stringify(told.map(({ body }) => body))).not.toContain(at(made, "data.key"));
  });

  it("is told to the operator's name in the default business's log", async () => {
    const { organizationId, path, first, second } = await givenSisters();
    const id = at(await make(path), "data.id");
    const entry = { actor: "operator", action: "key.created", entity: id };
    const after = { owner: { type: "organization", id: organizationId } };
    expect((await merchant(first)("GET", `/audit?entity=${id}`)).body).toMatchObject(
      success({ items: [{ ...entry, after }] }),
    );
    expect(at(await merchant(second)("GET", `/audit?entity=${id}`), "data.items")).toEqual([]);
  });

  it("is repeated with an Idempotency-Key: one key, its text told again", async () => {
    const { path } = await givenSisters();
    const headers = { "Idempotency-Key": "once" };
    const [first, again] = [
      await asOperator("POST", path, { body: secret, headers }),
      await asOperator("POST", path, { body: secret, headers }),
    ];
    expect(again.headers.get("Idempotency-Replayed")).toBe("true");
    expect(again.body).toEqual(first.body);
    expect(at(await asOperator("GET", path), "data.items")).toHaveLength(1);
  });

  it.each([
    ["kind", {}],
    ["scopes", { kind: "secret" }],
    ["scopes", { kind: "publishable", scopes: ["*"] }],
    ["mode", { ...publishable, mode: "demo" }],
  ])("names %s when the body is %j", async (field, body) => {
    const { path } = await givenSisters();
    expect(await make(path, body)).toMatchObject({
      status: 400,
      body: refusal("VALIDATION_ERROR", { context: { field } }),
    });
  });
});

describe("GET /v1/organizations/{organization_id}/keys", () => {
  it("lists the organization's keys, the newest first, page by page, and no business's", async () => {
    const { path, first } = await givenSisters();
    const other = await givenSisters();
    await givenKeyOf(other.path);
    for (const label of ["One", "Two", "Three"]) await givenKeyOf(path, { ...secret, label });
    const page = await asOperator("GET", `${path}?limit=2`);
    expect(page.body).toMatchObject(
      success({
        items: [{ label: "Three" }, { label: "Two" }],
        pagination: { limit: 2, has_more: true },
      }),
    );
    const cursor = at(page, "data.pagination.next_cursor");
    expect((await asOperator("GET", `${path}?limit=2&cursor=${cursor}`)).body).toMatchObject(
      success({
        items: [{ label: "One" }],
        pagination: { limit: 2, next_cursor: null, has_more: false },
      }),
    );
    expect(at(await merchant(first)("GET", "/keys"), "data.items")).toHaveLength(3); // its own
  });
});

describe("DELETE /v1/organizations/{organization_id}/keys/{key_id}", () => {
  it("stops the key at every business within 10 seconds, and again changes nothing", async () => {
    const { path, first, second } = await givenSisters();
    const made = await make(path);
    const key = String(at(made, "data.key"));
    for (const shop of [first, second]) expect((await keptBy(key, shop)).status).toBe(200);

    const own = `${path}/${at(made, "data.id")}`;
    const revoked = await asOperator("DELETE", own);
    expect(revoked).toMatchObject({
      status: 200,
      body: success({ revoked_at: expect.any(String) }),
    });
    later(5_001);
    for (const shop of [first, second]) expect(await keptBy(key, shop)).toMatchObject(unauthorized);
    expect(at(await asOperator("GET", path), "data.items")).toEqual([at(revoked, "data")]);

    expect((await asOperator("DELETE", own)).body).toEqual(revoked.body);
    const entries = await merchant(first)("GET", `/audit?entity=${at(made, "data.id")}`);
    expect(at(entries, "data.items")).toMatchObject([
      { action: "key.revoked", actor: "operator" },
      { action: "key.created" },
    ]);
  });

  it("is 404 for another organization's key and for a business's, and neither is revoked", async () => {
    const { path, first } = await givenSisters();
    const other = await givenSisters();
    const foreign = await make(other.path);
    const own = at(await merchant(first)("GET", "/keys"), "data.items.0.id");
    for (const id of [at(foreign, "data.id"), own, "key_unknown"])
      expect(await asOperator("DELETE", `${path}/${id}`)).toMatchObject(notFound);
    expect((await keptBy(String(at(foreign, "data.key")), other.second)).status).toBe(200);
    expect(at(await merchant(first)("GET", "/keys"), "data.items.0.revoked_at")).toBeNull();
  });

  it("is none of its businesses', who neither see nor revoke it", async () => {
    const { path, first } = await givenSisters();
    const made = await make(path);
    for (const method of ["GET", "DELETE"])
      expect(await merchant(first)(method, `/keys/${at(made, "data.id")}`)).toMatchObject(notFound);
    expect((await keptBy(String(at(made, "data.key")), first)).status).toBe(200);
  });
});

describe.each([
  ["GET", ""],
  ["POST", ""],
  ["DELETE", "/key_1"],
])("%s /v1/organizations/{organization_id}/keys%s", (method, more) => {
  const body = method === "POST" ? { body: secret } : {};

  it("is 404 for an unknown organization", async () => {
    const path = `${pathOf("org_unknown")}${more}`;
    expect(await asOperator(method, path, body)).toMatchObject(notFound);
  });

  it("takes the operator's token, no key of the organization, and is not there without a token", async () => {
    const { path } = await givenSisters();
    const key = await givenKeyOf(path);
    const headers = { "X-API-Key": key, Authorization: `Bearer ${key}` };
    expect(await call(method, `${path}${more}`, { ...body, headers })).toMatchObject(unauthorized);
    const by = withBindings({ OPERATOR_TOKEN: undefined });
    expect(await asOperator(method, `${path}${more}`, { ...body, by })).toMatchObject(notFound);
    expect(at(await asOperator("GET", path), "data.items")).toMatchObject([{ revoked_at: null }]);
  });
});

describe("the look-ups of keys", () => {
  it("take a round trip for the key and its business, whichever it is", async () => {
    const { path, second } = await givenSisters();
    const key = await givenKeyOf(path, publishable);
    for (const wanted of [null, second.business.id])
      expect(roundTrips(await shopOf(key, wanted)).d1).toBe(1);
  });

  it.each(["business", "organization"] as const)(
    "find a page of the keys of a(n) %s by index, in its order",
    async (type) => {
      const asked: string[] = [];
      const noting: Pick<D1Database, "prepare" | "batch"> = {
        prepare: (query) => {
          asked.push(query);
          return env.CORE.prepare(query);
        },
        batch: (statements) => env.CORE.batch(statements),
      };
      const keys = keyRepo(openDb(noting, createMeter()), { type, id: "any" });
      await keys.list({ limit: 21, before: "key_any" });
      const [query] = asked;
      const { results } = await env.CORE.prepare(`explain query plan ${query}`)
        .bind("any", "key_any", 21)
        .all();
      expect(results.map(({ detail }) => detail)).toEqual([
        `SEARCH api_keys USING INDEX api_keys_of_${type} (${type}_id=? AND id<?)`,
      ]);
    },
  );
});
