import { describe, expect, it } from "vitest";
import { createKey } from "../support/create-key.ts";
import { refusal, success, valueAt } from "../support/responses.ts";
import { countBusinessRows, listAuditActions } from "../support/row-counts.ts";
import {
  type ApiClient,
  createBusinessOnSameShard,
  dataOf,
  merchant,
  roundTrips,
} from "../support/world.ts";
import { createShop } from "./create-product.ts";

const reduced = { code: "reduced", name: "Reduced" };
const standard = { code: "standard", name: "Standard" };

const postClass = async (ask: ApiClient, body: object = reduced) =>
  dataOf(await ask("POST", "/tax/classes", { body }));

describe("tax classes", () => {
  it("are created, renamed and archived, each with an audit entry", async () => {
    const { shop, ask } = await createShop();
    expect(await postClass(ask)).toEqual(reduced);
    expect(dataOf(await ask("GET", "/tax/classes/reduced"))).toEqual(reduced);
    const renamed = await ask("PATCH", "/tax/classes/reduced", { body: { name: "Food" } });
    expect(renamed.body).toEqual(success({ code: "reduced", name: "Food" }));
    expect(roundTrips(renamed).d1).toBe(2);
    const archived = await ask("DELETE", "/tax/classes/reduced");
    expect(archived.body).toEqual(renamed.body);
    const before = await countBusinessRows(shop);
    expect((await ask("DELETE", "/tax/classes/reduced")).body).toEqual(archived.body);
    expect(await countBusinessRows(shop)).toEqual(before);
    expect((await ask("GET", "/tax/classes/reduced")).status).toBe(404);
    const actions = ["created", "updated", "archived"].map((verb) => `tax_class.${verb}`);
    expect(await listAuditActions(shop)).toEqual(actions);
    expect(dataOf(await ask("GET", "/tax/classes")).items).toEqual([standard]);
    expect(await postClass(ask)).toEqual(reduced);
    expect(dataOf(await ask("GET", "/tax/classes/reduced"))).toEqual(reduced);
  });

  it("include standard, which can be renamed but neither created nor archived", async () => {
    const { shop, ask } = await createShop();
    expect(dataOf(await ask("GET", "/tax/classes/standard"))).toEqual(standard);
    expect((await ask("POST", "/tax/classes", { body: standard })).status).toBe(409);
    const archived = await ask("DELETE", "/tax/classes/standard");
    expect(archived.body).toMatchObject(
      refusal("BUSINESS_RULE_VIOLATION", { context: { rule: "INVALID_STATE" } }),
    );
    expect(await countBusinessRows(shop)).toMatchObject({ tax_classes: 0, audit_entries: 0 });
    for (const name of ["Full", "Normal"]) {
      const body = { name };
      expect(dataOf(await ask("PATCH", "/tax/classes/standard", { body }))).toEqual({
        ...standard,
        name,
      });
    }
    expect(dataOf(await ask("GET", "/tax/classes")).items).toEqual([
      { ...standard, name: "Normal" },
    ]);
  });

  it("are listed by code with standard among them, on every page size", async () => {
    const { ask } = await createShop();
    for (const code of ["zero", "books", "food"]) await postClass(ask, { code, name: code });
    for (const limit of [1, 2, 3, 4, 5]) {
      const codes: string[] = [];
      let cursor = "";
      do {
        const page = dataOf(await ask("GET", `/tax/classes?limit=${limit}${cursor}`));
        codes.push(...page.items.map(({ code }: { code: string }) => code));
        const { next_cursor } = page.pagination;
        cursor = next_cursor === null ? "" : `&cursor=${encodeURIComponent(next_cursor)}`;
      } while (cursor !== "");
      expect(codes).toEqual(["books", "food", "standard", "zero"]);
    }
  });

  it("have codes of their own, also when two calls create one at once", async () => {
    const { shop, ask } = await createShop();
    const responses = await Promise.all(
      [1, 2].map(() => ask("POST", "/tax/classes", { body: reduced })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(await countBusinessRows(shop)).toMatchObject({ tax_classes: 1, audit_entries: 1 });
    const other = merchant(await createBusinessOnSameShard(shop));
    expect((await other("GET", "/tax/classes/reduced")).status).toBe(404);
    expect((await other("PATCH", "/tax/classes/reduced", { body: {} })).status).toBe(404);
    expect((await other("DELETE", "/tax/classes/reduced")).status).toBe(404);
    expect(await postClass(other)).toEqual(reduced);
  });

  it.each([
    ["code", { code: "Reduced" }],
    ["code", { code: "reduced rate" }],
    ["code", { code: "a".repeat(65) }],
    ["code", { code: undefined }],
    ["name", { name: " " }],
  ])("reject an invalid %s with its field", async (field, fields) => {
    const { shop, ask } = await createShop();
    const response = await ask("POST", "/tax/classes", { body: { ...reduced, ...fields } });
    expect(response).toMatchObject({ status: 400, body: { error: { context: { field } } } });
    expect(await countBusinessRows(shop)).toMatchObject({ tax_classes: 0 });
  });

  it("need the scope settings", async () => {
    const { shop, ask } = await createShop();
    const headers = { "X-API-Key": await createKey(shop, { scopes: ["settings:read"] }) };
    expect((await ask("POST", "/tax/classes", { body: reduced, headers })).status).toBe(403);
    expect((await ask("GET", "/tax/classes", { headers })).status).toBe(200);
    const catalogue = { "X-API-Key": await createKey(shop, { scopes: ["catalogue:read"] }) };
    expect((await ask("GET", "/tax/rates", { headers: catalogue })).status).toBe(403);
  });

  it("stay while a tax rate has them, also an inactive one", async () => {
    const { ask } = await createShop();
    await postClass(ask);
    const body = { name: "VAT", country: "GH", rate_percent: "5", tax_class: "reduced" };
    const { id } = dataOf(await ask("POST", "/tax/rates", { body: { ...body, is_active: false } }));
    const refused = await ask("DELETE", "/tax/classes/reduced");
    expect(refused.status).toBe(422);
    expect(valueAt(refused, "error.context.rule")).toBe("INVALID_STATE");
    await ask("DELETE", `/tax/rates/${id}`);
    expect((await ask("DELETE", "/tax/classes/reduced")).status).toBe(200);
  });
});
