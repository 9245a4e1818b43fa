import { describe, expect, it } from "vitest";
import type { OpenApiDocument } from "../support/document-operations.ts";
import { createDocumentValidator } from "../support/document-validator.ts";
import type { JsonSchema } from "../support/strict-schema.ts";

const text: JsonSchema = { type: "string" };

const base: JsonSchema = { type: "object", properties: { id: text }, required: ["id"] };

const document = (schema: JsonSchema): OpenApiDocument => ({
  paths: {
    "/shops/{id}": { get: { responses: { 200: { content: { "application/json": { schema } } } } } },
  },
  webhooks: {
    "shop.moved": { post: { requestBody: { content: { "application/json": { schema } } } } },
  },
  components: { schemas: { Base: base } },
});

const assertBody = (schema: JsonSchema, body: unknown) => () =>
  createDocumentValidator([document(schema)]).assertResponse({
    method: "GET",
    path: "/shops/biz_1?fields=all",
    status: 200,
    headers: new Headers({ "Content-Type": "application/json; charset=utf-8" }),
    body,
  });

const extension: JsonSchema = { type: "object", properties: { name: text }, required: ["name"] };
const reference: JsonSchema = { $ref: "#/components/schemas/Base" };

describe("createDocumentValidator", () => {
  it.each<[string, JsonSchema, unknown]>([
    ["a field", base, { id: "biz_1" }],
    ["a reference", reference, { id: "biz_1" }],
    [
      "an extension of another schema",
      { allOf: [reference, extension] },
      { id: "biz_1", name: "A" },
    ],
    ["null or a reference", { anyOf: [reference, { type: "null" }] }, null],
    ["null or a type", { type: ["string", "null"] }, null],
    ["fields of any name", { type: "object", additionalProperties: text }, { any: "name" }],
    ["any field", { type: "object" }, { any: 1 }],
  ])("accepts %s", (_, schema, body) => {
    expect(assertBody(schema, body)).not.toThrow();
  });

  it.each<[string, JsonSchema, unknown, string]>([
    ["a field that is missing", base, {}, "id"],
    ["a field of another type", base, { id: 1 }, "id"],
    ["an undocumented field", base, { id: "biz_1", hash: "" }, "hash"],
    [
      "an undocumented field in a list",
      { type: "array", items: reference },
      [{ id: "biz_1", hash: "" }],
      "hash",
    ],
    [
      "an undocumented field in an extension",
      { allOf: [reference, extension] },
      { id: "", name: "", hash: "" },
      "hash",
    ],
    [
      "an undocumented field in a choice",
      { oneOf: [reference, extension] },
      { id: "biz_1", hash: "" },
      "not documented",
    ],
    ["a value of another type", { type: "object", additionalProperties: text }, { any: 1 }, "any"],
    ["a value outside of an enum", { type: "string", enum: ["open"] }, "closed", "open"],
    [
      "null when one part of allOf rejects it",
      { allOf: [reference, { type: ["object", "null"] }] },
      null,
      "received null",
    ],
  ])("rejects %s", (_, schema, body, problem) => {
    expect(assertBody(schema, body)).toThrow(
      "GET /shops/{id} responds 200 with a body that is not documented",
    );
    expect(assertBody(schema, body)).toThrow(problem);
  });

  it("checks an event against the schema of its type and rejects unknown types", () => {
    const event: JsonSchema = {
      type: "object",
      properties: { type: text, data: base },
      required: ["data"],
    };
    const { assertEvent } = createDocumentValidator([document(event)]);
    const moved = { type: "shop.moved", data: { id: "biz_1" } };
    expect(() => assertEvent(moved)).not.toThrow();
    expect(() => assertEvent({ ...moved, data: { id: "biz_1", phone: "" } })).toThrow("phone");
    expect(() => assertEvent({ ...moved, type: "shop.sold" })).toThrow("shop.sold");
  });
});
