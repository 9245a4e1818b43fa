import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { call, givenBusiness, merchant } from "../support/world.ts";
import { at, givenKey, refusal, success } from "./given.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const later = (ms: number) => vi.setSystemTime(Date.now() + ms);

describe("POST /v1/businesses/{business_id}/keys", () => {
  it("makes a key that works, and shows its text in this answer only", async () => {
    const shop = await givenBusiness();
    const ask = merchant(shop);
    const body = { kind: "secret", scopes: ["settings:read"], label: "reader" };
    const made = await ask("POST", "/keys", { body });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject(
      success({
        ...body,
        id: expect.stringMatching(/^key_/),
        key: expect.stringMatching(/^sk_test_[0-9a-f]{40}$/),
        mode: "test",
        revoked_at: null,
      }),
    );
    const text = String(at(made, "data.key"));
    const asNew = merchant({ ...shop, keys: { ...shop.keys, secret: text } });
    expect((await asNew("GET", "/keys")).status).toBe(200);
    expect((await asNew("POST", "/keys", { body })).status).toBe(403);
    for (const path of ["/keys", "/audit"]) {
      expect(JSON.stringify((await ask("GET", path)).body)).not.toContain(text);
    }
  });

  it("does not let a key hand out what it does not hold", async () => {
    const shop = await givenBusiness();
    const secret = await givenKey(shop, { scopes: ["settings:write", "orders:read"] });
    const ask = merchant({ ...shop, keys: { ...shop.keys, secret } });
    const body = { kind: "secret", scopes: ["orders:read"] };
    expect((await ask("POST", "/keys", { body })).status).toBe(201);
    for (const scope of ["*", "orders:write"]) {
      const refused = await ask("POST", "/keys", { body: { kind: "secret", scopes: [scope] } });
      expect(refused.status).toBe(403);
      expect(refused.body).toMatchObject(refusal("FORBIDDEN"));
    }
  });

  it.each([
    ["kind", { kind: "master" }],
    ["kind", {}],
    ["scopes.0", { kind: "secret", scopes: ["everything"] }],
    ["scopes", { kind: "secret" }],
    ["scopes", { kind: "publishable", scopes: ["orders:read"] }],
    ["label", { kind: "deploy", label: "a\u0000b" }],
  ])("names %s when the body is %j", async (field, body) => {
    const refused = await merchant(await givenBusiness())("POST", "/keys", { body });
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject(refusal("VALIDATION_ERROR", { context: { field } }));
  });
});

describe("GET /v1/businesses/{business_id}/keys", () => {
  it("lists this business's keys, the newest first, page by page", async () => {
    const shop = await givenBusiness();
    await givenBusiness();
    const ask = merchant(shop);
    await ask("POST", "/keys", { body: { kind: "deploy", label: "newest" } });
    const first = await ask("GET", "/keys?limit=1");
    expect(first.body).toMatchObject(
      success({ items: [{ label: "newest" }], pagination: { limit: 1, has_more: true } }),
    );
    const cursor = at(first, "data.pagination.next_cursor");
    const rest = await ask("GET", `/keys?cursor=${cursor}`);
    expect(rest.body).toMatchObject(
      success({
        items: [{ kind: "deploy" }, { kind: "secret", scopes: ["*"] }, { kind: "publishable" }],
        pagination: { limit: 20, next_cursor: null, has_more: false },
      }),
    );
  });
});

describe("GET /v1/businesses/{business_id}/keys/{key_id}", () => {
  it("shows a key as the list does, revoked or not, and never its text", async () => {
    const ask = merchant(await givenBusiness());
    const made = await ask("POST", "/keys", { body: { kind: "deploy", label: "site" } });
    const path = `/keys/${at(made, "data.id")}`;
    const read = await ask("GET", path);
    expect(read.status).toBe(200);
    expect(at(read, "data")).toEqual(at(await ask("GET", "/keys"), "data.items.0"));
    expect(JSON.stringify(read.body)).not.toContain(String(at(made, "data.key")));
    const revoked = await ask("DELETE", path);
    expect((await ask("GET", path)).body).toEqual(revoked.body);
  });

  it("is 404 for another business's key", async () => {
    const other = await givenBusiness();
    const foreign = at(await merchant(other)("GET", "/keys"), "data.items.0.id");
    const ask = merchant(await givenBusiness());
    for (const id of [foreign, "key_unknown"]) {
      expect((await ask("GET", `/keys/${id}`)).status).toBe(404);
    }
  });
});

describe("DELETE /v1/businesses/{business_id}/keys/{key_id}", () => {
  it("stops the key within 10 seconds, and again changes nothing", async () => {
    const shop = await givenBusiness();
    const ask = merchant(shop);
    const made = await ask("POST", "/keys", { body: { kind: "secret", scopes: ["*"] } });
    const asRevoked = () =>
      call("GET", `/v1/businesses/${shop.business.id}`, {
        headers: { "X-API-Key": String(at(made, "data.key")) },
      });
    expect((await asRevoked()).status).toBe(200);

    const path = `/keys/${at(made, "data.id")}`;
    const revoked = await ask("DELETE", path);
    expect(revoked.status).toBe(200);
    expect(revoked.body).toMatchObject(success({ revoked_at: expect.any(String) }));
    later(5_001);
    expect((await asRevoked()).status).toBe(401);

    expect((await ask("DELETE", path)).body).toEqual(revoked.body);
    const entries = await ask("GET", `/audit?entity=${at(made, "data.id")}`);
    expect(entries.body).toMatchObject(
      success({ items: [{ action: "key.revoked" }, { action: "key.created" }] }),
    );
  });

  it("is 404 for an unknown key and for another business's", async () => {
    const other = await givenBusiness();
    const list = await merchant(other)("GET", "/keys");
    const ask = merchant(await givenBusiness());
    for (const id of ["key_unknown", at(list, "data.items.0.id")]) {
      const refused = await ask("DELETE", `/keys/${id}`);
      expect(refused.status).toBe(404);
      expect(refused.body).toMatchObject(refusal("NOT_FOUND"));
    }
    expect((await merchant(other)("GET", "/keys")).body).toEqual(list.body);
  });
});

describe("every call of /keys", () => {
  it.each([
    ["GET", ""],
    ["POST", ""],
    ["GET", "/key_1"],
    ["DELETE", "/key_1"],
  ])(
    "%s refuses a foreign key (403), a publishable one (401) and one without the scope (403)",
    async (method, path) => {
      const shop = await givenBusiness();
      const { keys } = await givenBusiness();
      const narrow = await givenKey(shop, { scopes: ["catalogue:write", "catalogue:read"] });
      const body = method === "POST" ? { body: { kind: "deploy" } } : {};
      const statuses = await Promise.all(
        [keys.secret, shop.keys.publishable, narrow].map(async (secret) => {
          const ask = merchant({ ...shop, keys: { ...shop.keys, secret } });
          return (await ask(method, `/keys${path}`, body)).status;
        }),
      );
      expect(statuses).toEqual([403, 401, 403]);
    },
  );
});
