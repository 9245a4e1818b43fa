import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createKey } from "../support/create-key.ts";
import { refusal, success, valueAt } from "../support/responses.ts";
import { call, createBusiness, merchant } from "../support/world.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const advanceClock = (ms: number) => vi.setSystemTime(Date.now() + ms);

describe("POST /v1/businesses/{business_id}/keys", () => {
  it("creates a key that works, and returns its text only once", async () => {
    const shop = await createBusiness();
    const ask = merchant(shop);
    const body = { kind: "secret", scopes: ["keys:read"], label: "reader" };
    const created = await ask("POST", "/keys", { body });
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject(
      success({
        ...body,
        id: expect.stringMatching(/^key_/),
        key: expect.stringMatching(/^sk_test_[0-9a-f]{40}$/),
        mode: "test",
        revoked_at: null,
      }),
    );
    const text = String(valueAt(created, "data.key"));
    const withNewKey = merchant({ ...shop, keys: { ...shop.keys, secret: text } });
    expect((await withNewKey("GET", "/keys")).status).toBe(200);
    expect((await withNewKey("POST", "/keys", { body })).status).toBe(403);
    for (const path of ["/keys", "/audit"]) {
      expect(JSON.stringify((await ask("GET", path)).body)).not.toContain(text);
    }
  });

  it("does not let a key grant scopes that it does not have", async () => {
    const shop = await createBusiness();
    const secret = await createKey(shop, { scopes: ["keys:write", "orders:read"] });
    const ask = merchant({ ...shop, keys: { ...shop.keys, secret } });
    const body = { kind: "secret", scopes: ["orders:read"] };
    expect((await ask("POST", "/keys", { body })).status).toBe(201);
    for (const scope of ["*", "orders:write"]) {
      const refused = await ask("POST", "/keys", { body: { kind: "secret", scopes: [scope] } });
      expect(refused.status).toBe(403);
      expect(refused.body).toMatchObject(refusal("FORBIDDEN"));
      expect(valueAt(refused, "error.message")).toContain(`the scope ${scope},`);
    }
  });

  it.each([
    ["kind", { kind: "master" }],
    ["kind", {}],
    ["scopes.0", { kind: "secret", scopes: ["everything"] }],
    ["scopes", { kind: "secret" }],
    ["scopes", { kind: "publishable", scopes: ["orders:read"] }],
    ["label", { kind: "deploy", label: "a\u0000b" }],
  ])("refuses an invalid %s, as in %j", async (field, body) => {
    const refused = await merchant(await createBusiness())("POST", "/keys", { body });
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject(refusal("VALIDATION_ERROR", { context: { field } }));
  });
});

describe("GET /v1/businesses/{business_id}/keys", () => {
  it("lists the business's keys in pages, newest first", async () => {
    const shop = await createBusiness();
    await createBusiness();
    const ask = merchant(shop);
    await ask("POST", "/keys", { body: { kind: "deploy", label: "newest" } });
    const first = await ask("GET", "/keys?limit=1");
    expect(first.body).toMatchObject(
      success({ items: [{ label: "newest" }], pagination: { limit: 1, has_more: true } }),
    );
    const cursor = valueAt(first, "data.pagination.next_cursor");
    const second = await ask("GET", `/keys?cursor=${cursor}`);
    expect(second.body).toMatchObject(
      success({
        items: [{ kind: "deploy" }, { kind: "secret", scopes: ["*"] }, { kind: "publishable" }],
        pagination: { limit: 20, next_cursor: null, has_more: false },
      }),
    );
  });
});

describe("GET /v1/businesses/{business_id}/keys/{key_id}", () => {
  it("returns a key as in the list, revoked or not, without its text", async () => {
    const ask = merchant(await createBusiness());
    const created = await ask("POST", "/keys", { body: { kind: "deploy", label: "site" } });
    const path = `/keys/${valueAt(created, "data.id")}`;
    const read = await ask("GET", path);
    expect(read.status).toBe(200);
    expect(valueAt(read, "data")).toEqual(valueAt(await ask("GET", "/keys"), "data.items.0"));
    expect(JSON.stringify(read.body)).not.toContain(String(valueAt(created, "data.key")));
    const revoked = await ask("DELETE", path);
    expect((await ask("GET", path)).body).toEqual(revoked.body);
  });

  it("responds 404 to another business's key", async () => {
    const other = await createBusiness();
    const foreign = valueAt(await merchant(other)("GET", "/keys"), "data.items.0.id");
    const ask = merchant(await createBusiness());
    for (const id of [foreign, "key_unknown"]) {
      expect((await ask("GET", `/keys/${id}`)).status).toBe(404);
    }
  });
});

describe("DELETE /v1/businesses/{business_id}/keys/{key_id}", () => {
  it("stops the key within 10 seconds, and changes nothing when repeated", async () => {
    const shop = await createBusiness();
    const ask = merchant(shop);
    const created = await ask("POST", "/keys", { body: { kind: "secret", scopes: ["*"] } });
    const callWithKey = () =>
      call("GET", `/v1/businesses/${shop.business.id}`, {
        headers: { "X-API-Key": String(valueAt(created, "data.key")) },
      });
    expect((await callWithKey()).status).toBe(200);

    const path = `/keys/${valueAt(created, "data.id")}`;
    const revoked = await ask("DELETE", path);
    expect(revoked.status).toBe(200);
    expect(revoked.body).toMatchObject(success({ revoked_at: expect.any(String) }));
    advanceClock(5_001);
    expect((await callWithKey()).status).toBe(401);

    expect((await ask("DELETE", path)).body).toEqual(revoked.body);
    const entries = await ask("GET", `/audit?entity=${valueAt(created, "data.id")}`);
    expect(entries.body).toMatchObject(
      success({ items: [{ action: "key.revoked" }, { action: "key.created" }] }),
    );
  });

  it("does not let a key revoke one with a scope that it does not have", async () => {
    const shop = await createBusiness();
    const ask = merchant(shop);
    const scopesOfOwn = ["keys:write", "keys:read", "orders:read"] as const;
    const secret = await createKey(shop, { scopes: scopesOfOwn });
    const narrow = merchant({ ...shop, keys: { ...shop.keys, secret } });
    const createKeyId = async (scopes: readonly string[]) =>
      valueAt(await ask("POST", "/keys", { body: { kind: "secret", scopes } }), "data.id");
    const stronger = `/keys/${await createKeyId(["orders:read", "orders:write"])}`;
    const refused = await narrow("DELETE", stronger);
    expect(refused.status).toBe(403);
    expect(refused.body).toMatchObject(refusal("FORBIDDEN"));
    expect(valueAt(refused, "error.message")).toContain("the scope orders:write,");
    expect(valueAt(await ask("GET", stronger), "data.revoked_at")).toBeNull();
    const own = valueAt(await ask("GET", "/keys"), "data.items");
    expect(own).toContainEqual(expect.objectContaining({ scopes: [...scopesOfOwn] }));
    expect((await narrow("DELETE", `/keys/${await createKeyId(["orders:read"])}`)).status).toBe(
      200,
    );
  });

  it("responds 404 to an unknown key and to another business's", async () => {
    const other = await createBusiness();
    const list = await merchant(other)("GET", "/keys");
    const ask = merchant(await createBusiness());
    for (const id of ["key_unknown", valueAt(list, "data.items.0.id")]) {
      const refused = await ask("DELETE", `/keys/${id}`);
      expect(refused.status).toBe(404);
      expect(refused.body).toMatchObject(refusal("NOT_FOUND"));
    }
    expect((await merchant(other)("GET", "/keys")).body).toEqual(list.body);
  });
});

describe("every endpoint of /keys", () => {
  it.each([
    ["GET", ""],
    ["POST", ""],
    ["GET", "/key_1"],
    ["DELETE", "/key_1"],
  ])(
    "%s refuses another business's key (403), a publishable key (401) and a key without the scope (403)",
    async (method, path) => {
      const shop = await createBusiness();
      const { keys } = await createBusiness();
      const withoutScope = await createKey(shop, { scopes: ["settings:write", "settings:read"] });
      const body = method === "POST" ? { body: { kind: "deploy" } } : {};
      const statuses = await Promise.all(
        [keys.secret, shop.keys.publishable, withoutScope].map(async (secret) => {
          const ask = merchant({ ...shop, keys: { ...shop.keys, secret } });
          return (await ask(method, `/keys${path}`, body)).status;
        }),
      );
      expect(statuses).toEqual([403, 401, 403]);
    },
  );
});
