import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { beforeEach, describe, expect, test } from "vitest";
import { listAgentTools } from "../../functions/agents/agent-tools/agent-tool.ts";
import { releases } from "../../shared/agents/index.ts";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { createShopWithStock } from "../support/create-shop-with-stock.ts";
import { call } from "../support/world.ts";
import { callAgentTool, contentOf, metaOf, toolsPath } from "./agent-tool-client.ts";
import { connectMcp, postMessage, rpcRequest, statelessRequest } from "./mcp-client.ts";
import { createPlatform, hostProfile, hostProfiles, type TestPlatform } from "./platform.ts";
import { assertValid } from "./validator.ts";

hostProfiles();

let shop: CreatedBusiness;
let product: Product;
let platform: TestPlatform;

beforeEach(async () => {
  ({ shop, product } = await createShopWithStock());
  platform = await createPlatform();
});

const query = () => ({ query: product.name });

const search = (meta: unknown = metaOf(platform), headers: Readonly<Record<string, string>> = {}) =>
  callAgentTool(shop, "search_catalog", { meta, catalog: query() }, { headers });

/** A search as a whole message, for a body that is signed. */
const searchMessage = () =>
  JSON.stringify(
    rpcRequest("tools/call", { name: "search_catalog", arguments: { catalog: query() } }),
  );

describe("the tools of the protocol", () => {
  test("are listed and called by the official client", async () => {
    const client = await connectMcp(toolsPath(shop));
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(listAgentTools().map(({ name }) => name));
    const found = await client.callTool({
      name: "search_catalog",
      arguments: { meta: metaOf(platform), catalog: query() },
    });
    expect(found.structuredContent).toMatchObject({ products: [{ id: product.id }] });
    await client.close();
  });

  test("have schemas that stand alone and allow the input of both releases", () => {
    const ajv = new Ajv2020({ strictSchema: true, strictTypes: false, allowUnionTypes: true });
    addFormats.default(ajv);
    const meta = metaOf(platform, crypto.randomUUID());
    const line = { id: "li_1", item: { id: "var_1" }, quantity: 2 };
    const payload = {
      catalog: { query: "tea", ids: ["prod_1"], id: "prod_1", filters: { price: { max: 900 } } },
      cart: { line_items: [line], discounts: { codes: ["TEN"] } },
      checkout: {
        line_items: [line],
        buyer: { email: "ama@example.com" },
        fulfillment: { methods: [{ type: "shipping", destinations: [{ address_country: "GH" }] }] },
        payment: {
          instruments: [{ id: "i", handler_id: "h", type: "t", credential: { type: "token" } }],
        },
      },
    };
    for (const { name, inputSchema } of listAgentTools()) {
      expect(JSON.stringify(inputSchema)).not.toContain('"$ref"');
      const isValid = ajv.compile(inputSchema);
      isValid({ meta, id: "chk_1", ...payload });
      expect([name, isValid.errors]).toEqual([name, null]);
      expect(isValid({})).toBe(false);
    }
  });

  test.each(releases)("answer as the schema of %s says", async (release) => {
    platform = await createPlatform({ release });
    await assertValid(release, "search_response", contentOf(await search()));
  });

  test("work in the revision without a handshake", async () => {
    const { message, headers } = statelessRequest("tools/call", {
      name: "search_catalog",
      arguments: { meta: metaOf(platform), catalog: query() },
    });
    const { status, body } = await postMessage(toolsPath(shop), message, { headers });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      result: { resultType: "complete", structuredContent: { products: [{ id: product.id }] } },
    });
  });

  test("take a signed call that names its profile in the header alone", async () => {
    const rawBody = searchMessage();
    const url = `https://duka.test${toolsPath(shop)}`;
    const headers = await platform.sign({ method: "POST", url, body: rawBody });
    const response = await call("POST", toolsPath(shop), { rawBody, headers });
    expect(contentOf(response)).toMatchObject({ products: [{ id: product.id }] });
  });
});

describe("outcomes and errors", () => {
  test("a capability that the platform lacks is an outcome", async () => {
    platform = await createPlatform({ capabilities: ["dev.ucp.shopping.order"] });
    const answer = contentOf(await search());
    expect(answer).toMatchObject({ messages: [{ code: "capabilities_incompatible" }] });
    await assertValid(releases[0], "error_response", answer);
  });

  test("a product that does not exist is an outcome", async () => {
    const input = { meta: metaOf(platform), catalog: { id: "prod_unknown" } };
    const answer = contentOf(await callAgentTool(shop, "get_product", input));
    expect(answer).toMatchObject({ ucp: { status: "error" }, messages: [{ code: "not_found" }] });
  });

  test.each([
    ["no profile", () => null, 400, "invalid_profile_url"],
    ["a profile at a private address", () => "http://10.0.0.1/x", 400, "invalid_profile_url"],
    [
      "a profile that is not there",
      () => hostProfile(() => new Response(null, { status: 404 })),
      424,
      "profile_unreachable",
    ],
    [
      "a profile that is no profile",
      () => hostProfile(() => Response.json({})),
      422,
      "profile_malformed",
    ],
  ])("%s is an error of JSON-RPC with its HTTP status", async (_, profile, status, name) => {
    const profileUrl = profile();
    expect(await search(profileUrl === null ? {} : metaOf({ profileUrl }))).toMatchObject({
      status,
      body: { jsonrpc: "2.0", id: 1, error: { code: -32001, data: { code: name } } },
    });
  });

  test("a signature of another body is an error", async () => {
    const url = `https://duka.test${toolsPath(shop)}`;
    const headers = await platform.sign({ method: "POST", url, body: "{}" });
    const response = await call("POST", toolsPath(shop), { rawBody: searchMessage(), headers });
    expect(response).toMatchObject({
      status: 400,
      body: { id: 1, error: { code: -32600, data: { code: "digest_mismatch" } } },
    });
  });
});

describe("hostile input", () => {
  test.each([
    ["a list as meta", () => ({ meta: [], catalog: query() })],
    ["a text as meta", () => ({ meta: "x", catalog: query() })],
    ["a number as profile", () => ({ meta: { "ucp-agent": { profile: 1 } }, catalog: query() })],
    [
      "a number as key",
      () => ({ meta: { ...metaOf(platform), "idempotency-key": 5 }, catalog: query() }),
    ],
    ["a key with a line break", () => ({ meta: metaOf(platform, "a\nb"), catalog: query() })],
    ["no payload", () => ({ meta: metaOf(platform) })],
    ["a list as payload", () => ({ meta: metaOf(platform), catalog: [] })],
    ["a text as payload", () => ({ meta: metaOf(platform), catalog: "tea" })],
  ])("%s is refused", async (_, input) => {
    expect(await callAgentTool(shop, "search_catalog", input())).toMatchObject({
      status: 400,
      body: { id: 1, error: { code: expect.any(Number), data: { code: expect.any(String) } } },
    });
  });

  test("a profile or a key that differs from the header is refused", async () => {
    const other = await createPlatform();
    for (const headers of [other.headers, { "Idempotency-Key": "key-2" }])
      expect(await search(metaOf(platform, "key-1"), headers)).toMatchObject({
        status: 400,
        body: { error: { code: -32602, message: expect.stringContaining("must be the same") } },
      });
  });
});
