import { describe, expect, it } from "vitest";
import { published } from "../support/published.ts";
import type { Document } from "../support/published-rows.ts";
import type { Schema } from "../support/strict-schema.ts";

const text: Schema = { type: "string" };

const base: Schema = { type: "object", properties: { id: text }, required: ["id"] };

const document = (schema: Schema): Document => ({
  paths: {
    "/shops/{id}": { get: { responses: { 200: { content: { "application/json": { schema } } } } } },
  },
  webhooks: {
    "shop.moved": { post: { requestBody: { content: { "application/json": { schema } } } } },
  },
  components: { schemas: { Base: base } },
});

const answer = (schema: Schema, body: unknown) => () =>
  published([document(schema)]).demandAnswer({
    method: "GET",
    path: "/shops/biz_1?fields=all",
    status: 200,
    headers: new Headers({ "Content-Type": "application/json; charset=utf-8" }),
    body,
  });

const more: Schema = { type: "object", properties: { name: text }, required: ["name"] };
const reference: Schema = { $ref: "#/components/schemas/Base" };

describe("what the service publishes", () => {
  it.each<[string, Schema, unknown]>([
    ["a field", base, { id: "biz_1" }],
    ["a reference", reference, { id: "biz_1" }],
    ["what extends another schema", { allOf: [reference, more] }, { id: "biz_1", name: "A" }],
    ["null or a reference", { anyOf: [reference, { type: "null" }] }, null],
    ["null or a type", { type: ["string", "null"] }, null],
    ["fields of any name", { type: "object", additionalProperties: text }, { any: "name" }],
    ["any field", { type: "object" }, { any: 1 }],
  ])("takes %s", (_, schema, body) => {
    expect(answer(schema, body)).not.toThrow();
  });

  it.each<[string, Schema, unknown, string]>([
    ["a field that is missing", base, {}, "id"],
    ["a field of another type", base, { id: 1 }, "id"],
    ["a field that is not written down", base, { id: "biz_1", hash: "" }, "hash"],
    ["one in a list", { type: "array", items: reference }, [{ id: "biz_1", hash: "" }], "hash"],
    ["one in what extends", { allOf: [reference, more] }, { id: "", name: "", hash: "" }, "hash"],
    ["one in a choice", { oneOf: [reference, more] }, { id: "biz_1", hash: "" }, "otherwise"],
    ["a value of another type", { type: "object", additionalProperties: text }, { any: 1 }, "any"],
    ["a value of no choice", { type: "string", enum: ["open"] }, "closed", "open"],
    [
      "null where all parts must hold",
      { allOf: [reference, { type: ["object", "null"] }] },
      null,
      "received null",
    ],
  ])("does not take %s", (_, schema, body, problem) => {
    expect(answer(schema, body)).toThrow("GET /shops/{id} answers 200 otherwise than documented");
    expect(answer(schema, body)).toThrow(problem);
  });

  it("holds an event to the schema of its type, and knows no other type", () => {
    const event: Schema = {
      type: "object",
      properties: { type: text, data: base },
      required: ["data"],
    };
    const { demandEvent } = published([document(event)]);
    const moved = { type: "shop.moved", data: { id: "biz_1" } };
    expect(() => demandEvent(moved)).not.toThrow();
    expect(() => demandEvent({ ...moved, data: { id: "biz_1", phone: "" } })).toThrow("phone");
    expect(() => demandEvent({ ...moved, type: "shop.sold" })).toThrow("shop.sold");
  });
});
