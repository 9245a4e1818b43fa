import { exports } from "cloudflare:workers";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect, test } from "vitest";
import {
  type ApiDocument,
  type ApiSchema,
  type DocumentedOperation,
  resolveSchema,
} from "../../functions/agents/merchants/api-document.ts";
import {
  confirmedOperations,
  createMerchantTools,
  type MerchantTool,
} from "../../functions/agents/merchants/merchant-tool.ts";
import { raiseRateLimits } from "../http/prepare-business.ts";
import { createBusiness } from "../support/world.ts";
import { postMessage, rpcRequest } from "./mcp-client.ts";

const answer = await exports.default.fetch("https://duka.test/v1/businesses/openapi.json");
const document = await answer.json<ApiDocument>();
const tools = createMerchantTools(document);
const named = tools.map((entry) => [entry.tool.name, entry] as const);

const ajv = new Ajv2020({ strictSchema: true, strictTypes: false, allowUnionTypes: true });
addFormats.default(ajv);

/** The recorded example of a call, with an id of no record. */
function sampleInput({ path, method, tool, pathParameters, takesBody }: MerchantTool): object {
  const operation = document.paths[path]?.[method.toLowerCase()];
  const properties: Readonly<Record<string, ApiSchema>> = Object(tool.inputSchema).properties;
  return {
    ...Object.fromEntries(
      pathParameters.map((name) => [name, properties[name]?.enum?.[0] ?? "unknown-record"]),
    ),
    ...Object.fromEntries(
      (operation?.parameters ?? [])
        .filter((one) => one.in === "query" && one.required)
        .map(({ name, schema }) => [name, schema.enum?.[0] ?? "2029-12-20"]),
    ),
    ...(takesBody && { body: bodyExample(operation) }),
  };
}

const bodyExample = (operation: DocumentedOperation | undefined): unknown =>
  Object(operation?.requestBody?.content["application/json"]).example;

test("there is a tool for every call of a business that a secret key makes with JSON", () => {
  const names = named.map(([name]) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const name of ["listOrders", "refundOrder", "createProduct", "adjustStockLevel", "getToday"])
    expect(names).toContain(name);
  expect(names).toEqual(expect.arrayContaining([...confirmedOperations]));
});

test.each(named)("%s has a schema that stands alone and allows its example", (name, entry) => {
  const { inputSchema } = entry.tool;
  expect(name).toMatch(/^[A-Za-z0-9]{1,64}$/);
  expect(JSON.stringify(inputSchema)).not.toContain('"$ref"');
  const isValid = ajv.compile(inputSchema);
  isValid(sampleInput(entry));
  expect(isValid.errors).toBeNull();
  expect(isValid({ ...sampleInput(entry), another: 1 })).toBe(false);
});

test.each(named)("%s is annotated with what it does", (_, { method, tool }) => {
  const { readOnlyHint, destructiveHint } = tool.annotations;
  expect(readOnlyHint && destructiveHint).toBe(false);
  if (method === "DELETE") expect(destructiveHint).toBe(true);
  if (readOnlyHint) expect(Object(tool.inputSchema).properties).not.toHaveProperty("confirmation");
});

test("every tool answers its sample input", async () => {
  const shop = await createBusiness();
  await raiseRateLimits(shop);
  for (const [name, entry] of named) {
    const { status, body } = await postMessage(
      "/mcp",
      rpcRequest("tools/call", { name, arguments: sampleInput(entry) }),
      { headers: { "X-API-Key": shop.keys.secret } },
    );
    expect([name, status]).toEqual([name, 200]);
    const { structuredContent, content, isError } = Object(body).result;
    expect(content[0].type).toBe("text");
    if (isError !== true && entry.isAlwaysConfirmed)
      expect(structuredContent).toMatchObject({ done: false });
    if (isError) expect([name, structuredContent.error?.code]).not.toEqual([name, "INTERNAL"]);
  }
});

test("a schema that contains itself is left open inside", () => {
  const node: ApiSchema = {
    properties: { child: { $ref: "#/components/schemas/Node" }, name: { type: "string" } },
  };
  const withNode: ApiDocument = { paths: {}, components: { schemas: { Node: node } } };
  expect(resolveSchema(withNode, { $ref: "#/components/schemas/Node" })).toEqual({
    properties: { child: {}, name: { type: "string" } },
  });
});
