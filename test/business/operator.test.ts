import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { createKey } from "../support/create-key.ts";
import { refusal, success, valueAt } from "../support/responses.ts";
import worker from "../support/worker.ts";
import { call, createBusiness, operator } from "../support/world.ts";

const newBusiness = {
  name: "Adwoa's Bakery",
  mode: "test",
  currency: "GHS",
  default_country: "GH",
  timezone: "Africa/Accra",
};

describe("POST /v1/businesses", () => {
  it("creates a business with its default location and working keys", async () => {
    const created = await operator("POST", "/v1/businesses", { body: newBusiness });
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject(
      success({
        business: {
          ...newBusiness,
          id: expect.stringMatching(/^biz_[0-9a-z]{26}$/),
          organization_id: null,
        },
        location: { name: newBusiness.name, timezone: "Africa/Accra", is_default: true },
        keys: {
          publishable: expect.stringMatching(/^pk_test_/),
          secret: expect.stringMatching(/^sk_test_/),
          deploy: expect.stringMatching(/^dk_test_/),
        },
      }),
    );
    for (const scheme of ["Bearer", "bearer", "BEARER "]) {
      const read = await call("GET", `/v1/businesses/${valueAt(created, "data.business.id")}`, {
        headers: { Authorization: `${scheme} ${valueAt(created, "data.keys.secret")}` },
      });
      expect(read.body).toMatchObject(success({ name: newBusiness.name }));
    }
  });

  it("creates one business for repeats of an Idempotency-Key, and returns its keys without storing them", async () => {
    const key = crypto.randomUUID();
    const create = (body: object) =>
      operator("POST", "/v1/businesses", { body, headers: { "Idempotency-Key": key } });
    const first = await create(newBusiness);
    const again = await create(newBusiness);
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(JSON.stringify(again.body)).toBe(JSON.stringify(first.body));
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(await create({ ...newBusiness, name: "Another" })).toMatchObject({
      status: 409,
      body: refusal("CONFLICT", { retryable: false }),
    });
    const { results } = await env.CORE.prepare("select * from idempotency_keys where key = ?")
      .bind(key)
      .all();
    expect(results).toHaveLength(1);
    expect(JSON.stringify(results)).not.toMatch(/sk_test_|operator-token/);
  });

  it("adds an audit entry of the operator, without the keys", async () => {
    const created = await operator("POST", "/v1/businesses", { body: newBusiness });
    const id = valueAt(created, "data.business.id");
    const audit = await call("GET", `/v1/businesses/${id}/audit`, {
      headers: { "X-API-Key": String(valueAt(created, "data.keys.secret")) },
    });
    expect(audit.body).toMatchObject(
      success({ items: [{ actor: "operator", action: "business.created", entity: id }] }),
    );
    expect(JSON.stringify(audit.body)).not.toContain("sk_test_");
  });

  it("creates an organization with its first business, which becomes the default one", async () => {
    const organization_id = "org_01hzzzzzzzzzzzzzzzzzzzzzzz";
    const first = await operator("POST", "/v1/businesses", {
      body: { ...newBusiness, organization_id },
    });
    const second = await operator("POST", "/v1/businesses", {
      body: { ...newBusiness, organization_id },
    });
    expect([first.status, second.status]).toEqual([201, 201]);
    const key = await createKey(await createBusiness(), {
      owner: { type: "organization", id: organization_id },
    });
    for (const created of [first, second]) {
      const id = valueAt(created, "data.business.id");
      const read = await call("GET", `/v1/businesses/${id}`, { headers: { "X-API-Key": key } });
      expect(read.body).toMatchObject(success({ id, organization_id }));
    }
  });

  it.each([
    ["name", { name: "  " }],
    ["mode", { mode: "demo" }],
    ["currency", { currency: "ZZZ" }],
    ["default_country", { default_country: "ZZ" }],
    ["default_country", { default_country: "Ghana" }],
    ["timezone", { timezone: "Africa/Atlantis" }],
    ["timezone", { timezone: "+01:00" }],
    ["organization_id", { organization_id: "biz_1" }],
  ])("refuses an invalid %s, as in %j", async (field, invalidFields) => {
    const refused = await operator("POST", "/v1/businesses", {
      body: { ...newBusiness, ...invalidFields },
    });
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject(refusal("VALIDATION_ERROR", { context: { field } }));
  });

  it.each([
    ["no token", {}],
    ["another token", { Authorization: "Bearer operator-token-for-test" }],
  ])("responds 401 to %s", async (_what, headers) => {
    const refused = await call("POST", "/v1/businesses", { body: newBusiness, headers });
    expect(refused.status).toBe(401);
    expect(refused.body).toMatchObject(refusal("UNAUTHORIZED"));
  });

  it("accepts a token of several words", async () => {
    const deployment = { ...env, OPERATOR_TOKEN: "four words of ours" };
    const statusOf = async (token: string) => {
      const headers = { Authorization: `bearer ${token}` };
      const request = new Request("https://duka.test/v1/businesses", { headers });
      return (await worker.fetch(request, deployment, createExecutionContext())).status;
    };
    expect(await statusOf("four words of ours")).toBe(200);
    expect(await statusOf("four")).toBe(401);
  });

  it("responds 404 in a deployment without an operator token", async () => {
    const request = new Request("https://duka.test/v1/businesses", {
      headers: { Authorization: "Bearer undefined" },
    });
    const deployment = { ...env, OPERATOR_TOKEN: undefined };
    const refused = await worker.fetch(request, deployment, createExecutionContext());
    expect(refused.status).toBe(404);
    expect(await refused.json()).toMatchObject(refusal("NOT_FOUND"));
  });
});

describe("GET /v1/businesses", () => {
  it("lists all businesses in pages, newest first", async () => {
    vi.setSystemTime("2099-01-01"); // newer than the businesses of all other tests
    const ids: unknown[] = [];
    for (const name of ["One", "Two", "Three"]) {
      const created = await operator("POST", "/v1/businesses", { body: { ...newBusiness, name } });
      ids.unshift(valueAt(created, "data.business.id"));
    }
    const first = await operator("GET", "/v1/businesses?limit=2");
    expect(first.body).toMatchObject(
      success({
        items: [{ id: ids[0], locations: [{ is_default: true }] }, { id: ids[1] }],
        pagination: { limit: 2, next_cursor: expect.any(String), has_more: true },
      }),
    );
    const cursor = valueAt(first, "data.pagination.next_cursor");
    const second = await operator("GET", `/v1/businesses?limit=1&cursor=${cursor}`);
    expect(second.body).toMatchObject(success({ items: [{ id: ids[2], name: "One" }] }));
  });

  it.each(["limit=0", "limit=101", "cursor=%2A"])("refuses %s", async (query) => {
    const refused = await operator("GET", `/v1/businesses?${query}`);
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject(
      refusal("VALIDATION_ERROR", { context: { field: query.split("=")[0] } }),
    );
  });
});
