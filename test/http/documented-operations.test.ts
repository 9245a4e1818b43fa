import { describe, expect, it } from "vitest";
import { call, createBusiness } from "../support/world.ts";

type Operation = Readonly<{
  operationId?: string;
  tags?: string[];
  summary?: string;
  security: readonly Record<string, unknown>[];
  parameters?: readonly { name: string; in: string; description?: string }[];
  requestBody?: { content: Record<string, { example?: unknown }> };
  responses: Record<string, { $ref?: string; headers?: object }>;
  "x-pagination"?: string;
}>;

type Document = Readonly<{
  paths: Record<string, Record<string, Operation>>;
  tags: { name: string; description: string }[];
  "x-tagGroups": { name: string; tags: string[] }[];
}>;

const prefixes = ["/api/v1", "/v1/link", "/v1/businesses"];

const documents = await Promise.all(
  prefixes.map(async (prefix): Promise<readonly [string, Document]> => {
    const { body } = await call("GET", `${prefix}/openapi.json`);
    return [prefix, Object(body)];
  }),
);

const operationsOf = ({ paths }: Document) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ at: `${method} ${path}`, operation })),
  );

/** The verbs with which the names of operations begin; a new one belongs to the glossary of clients. */
const verbs =
  /^(?:add|adjust|apply|archive|attach|authorize|autocomplete|calculate|cancel|change|check|clear|close|confirm|connect|count|create|delete|discard|disconnect|dismiss|end|enroll|erase|export|find|get|import|invite|list|log|mark|move|open|pause|pay|place|preview|purge|receive|record|refresh|refund|register|remove|reopen|request|reschedule|resume|retry|revoke|rotate|send|set|skip|start|suspend|test|track|update|validate|verify)[A-Z][A-Za-z]+$/;

describe.each(documents)("the document of %s", (_, document) => {
  const operations = operationsOf(document);

  it("names each operation with a verb and a noun, and no two alike", () => {
    const unnamed = operations.filter(({ operation }) => !verbs.test(operation.operationId ?? ""));
    expect(unnamed.map(({ at, operation }) => `${at}: ${operation.operationId}`)).toEqual([]);
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  it("lists each operation in one described section, and each section in one group", () => {
    const known = document.tags.map(({ name }) => name);
    expect(new Set(operations.flatMap(({ operation }) => operation.tags))).toEqual(new Set(known));
    expect(operations.filter(({ operation }) => operation.tags?.length !== 1)).toEqual([]);
    expect(document["x-tagGroups"].flatMap(({ tags }) => tags)).toEqual(known);
    expect(document.tags.filter(({ description }) => !description.endsWith("."))).toEqual([]);
  });

  it("summarises each operation in one sentence", () => {
    const wrong = operations.filter(
      ({ operation: { summary = "" } }) => !/^[A-Z][^.]+[^.]$/.test(summary),
    );
    expect(wrong.map(({ at, operation }) => `${at}: ${operation.summary}`)).toEqual([]);
  });

  it("describes each parameter", () => {
    const missing = operations.flatMap(({ at, operation: { parameters = [] } }) =>
      parameters.filter(({ description }) => !description).map(({ name }) => `${at} ${name}`),
    );
    expect(missing).toEqual([]);
  });

  it("documents the errors and the headers of each operation", () => {
    for (const { at, operation } of operations) {
      const statuses = Object.keys(operation.responses);
      expect(statuses, at).toEqual(expect.arrayContaining(["400", "401", "429", "500", "503"]));
      expect(statuses, at).not.toContain("default");
      const [success] = Object.values(operation.responses);
      if (!statuses.includes("101")) expect(success?.headers, at).toHaveProperty("X-Request-Id");
    }
  });

  it("says of each list with a cursor where the next one is", () => {
    const lists = operations.filter(({ operation: { parameters = [] } }) =>
      parameters.some(({ name }) => name === "cursor"),
    );
    for (const { at, operation } of lists) {
      const { headers = {} } = operation.responses[200] ?? {};
      const place = "X-Next-Cursor" in headers ? "headers" : "cursor";
      expect(operation["x-pagination"], at).toBe(place);
    }
  });
});

describe("the examples", () => {
  const addToCart = documents[0]?.[1].paths["/api/v1/cart/items"]?.post;
  const importProducts =
    documents[2]?.[1].paths["/v1/businesses/{business_id}/imports"]?.post?.requestBody;

  it("show a recorded request and its response, each in its media type", () => {
    const json = (example: object) => ({ content: { "application/json": { example } } });
    expect(addToCart).toMatchObject({
      requestBody: json({ item_id: expect.stringMatching(/^prod_/) }),
      responses: { 200: json({ success: true, data: { item_count: expect.any(Number) } }) },
    });
    expect(importProducts?.content["text/csv"]?.example).toMatch(/^Handle,Title/);
    expect(importProducts?.content["multipart/form-data"]).not.toHaveProperty("example");
  });

  it("hold no key, token or signature", () => {
    const text = JSON.stringify(documents);
    expect(text).toContain("sk_test_example");
    expect(text).not.toMatch(/\b(?:[psd]k_(?:test|live)|whsec|rfr|lnk|bt)_(?!example\b)\w|\beyJ/);
  });
});

const listsHeader = ({ parameters = [] }: Operation, header: string): boolean =>
  parameters.some(({ name, in: place }) => place === "header" && name === header);

describe("request headers", () => {
  const operations = documents.flatMap(([, document]) => operationsOf(document));

  it("list X-Business-Id exactly where a call refuses a business that its key does not serve", async () => {
    const [shop, other] = [await createBusiness(), await createBusiness()];
    const wrong: string[] = [];
    for (const { at, operation } of operations) {
      const [method = "", path = ""] = at.split(" ");
      // A socket opens for everybody and then closes; a browser opens a page without headers.
      if (/\/ws$|\/elements\/(?:auth|account)$/.test(path)) continue;
      const takesSecretKey = operation.security.some((way) => "secretKey" in way);
      const own = path.replace("{business_id}", shop.business.id);
      const { status } = await call(method.toUpperCase(), own.replaceAll(/\{\w+\}/g, "none"), {
        headers: {
          "X-API-Key": takesSecretKey ? shop.keys.secret : shop.keys.publishable,
          "X-Business-Id": other.business.id,
        },
        ...(method !== "get" && { body: {} }),
      });
      if ((status === 403) !== listsHeader(operation, "X-Business-Id"))
        wrong.push(`${at}: ${status}`);
    }
    expect(wrong).toEqual([]);
  });

  it("list If-None-Match exactly where a response may be 304", () => {
    const withTag = operations.filter(({ operation }) => "304" in operation.responses);
    expect(withTag).not.toEqual([]);
    expect(operations.filter(({ operation }) => listsHeader(operation, "If-None-Match"))).toEqual(
      withTag,
    );
  });
});

describe("the storefront's document", () => {
  const paths = documents[0]?.[1].paths ?? {};

  it("documents the rules of a 422, and the page headers of a bare array", () => {
    const checkout = JSON.stringify(paths["/api/v1/checkout"]?.post?.responses[422]);
    for (const name of ["CartEmptyError", "PriceChangedError", "SlotUnavailableError"])
      expect(checkout).toContain(`#/components/schemas/${name}`);
    expect(paths["/api/v1/orders"]?.get).toMatchObject({ "x-pagination": "headers" });
  });

  it("names the session's cookie and token where a call reads it", () => {
    const key = { publishableKey: [] };
    const withCookie = { publishableKey: [], sessionCookie: [] };
    const withToken = { publishableKey: [], sessionToken: [] };
    expect(paths["/api/v1/business"]?.get).toMatchObject({ security: [key] });
    expect(paths["/api/v1/cart"]?.get).toMatchObject({ security: [key, withCookie, withToken] });
    expect(paths["/api/v1/auth/profile"]?.post).toMatchObject({
      security: [withCookie, withToken],
    });
  });
});
