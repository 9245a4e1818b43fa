import { beforeAll, describe, expect, test } from "vitest";
import { call, createBusiness } from "../support/world.ts";
import { connectMcp, postMessage, rpcRequest, statelessRequest } from "./mcp-client.ts";

const path = "/mcp";
let credential: Record<string, string>;

beforeAll(async () => {
  const { keys } = await createBusiness();
  credential = { "X-API-Key": keys.secret };
});

const post = (message: unknown, headers: Record<string, string> = {}) =>
  postMessage(path, message, { headers: { ...credential, ...headers } });

const postStateless = (
  method: string,
  params: Record<string, unknown> = {},
  changes: Record<string, string> = {},
) => {
  const { message, headers } = statelessRequest(method, params);
  return post(message, { ...headers, ...changes });
};

const initialize = (protocolVersion: unknown) =>
  rpcRequest("initialize", {
    protocolVersion,
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  });

test("the official client connects, lists tools and calls one", async () => {
  const client = await connectMcp(path, credential);
  const { tools } = await client.listTools();
  expect(tools.length).toBeGreaterThan(100);
  const { structuredContent, isError } = await client.callTool({
    name: "listOrders",
    arguments: { limit: 1 },
  });
  expect(isError).toBeUndefined();
  expect(structuredContent).toMatchObject({ success: true });
  await client.close();
});

describe("revisions with a handshake", () => {
  test.each(["2025-11-25", "2025-06-18", "2025-03-26"])("agrees on %s", async (version) => {
    const { status, body } = await post(initialize(version));
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: 1,
      result: { protocolVersion: version, capabilities: { tools: {} } },
    });
  });

  test.each(["2026-07-28", "1999-01-01", ""])("offers 2025-11-25 for %j", async (version) => {
    expect((await post(initialize(version))).body).toMatchObject({
      result: { protocolVersion: "2025-11-25" },
    });
  });

  test("lists tools without a handshake and without the version header", async () => {
    const { status, body } = await post(rpcRequest("tools/list"));
    expect(status).toBe(200);
    expect(Object(body).result).not.toHaveProperty("resultType");
    expect(Object(body).result.tools[0]).toMatchObject({ inputSchema: { type: "object" } });
  });

  test("answers a ping", async () => {
    const { body } = await post(rpcRequest("ping"), { "MCP-Protocol-Version": "2025-11-25" });
    expect(body).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
  });

  test("accepts notifications and responses without an answer", async () => {
    for (const message of [
      { jsonrpc: "2.0", method: "notifications/initialized" },
      { jsonrpc: "2.0", id: 4, result: {} },
    ])
      expect(await post(message)).toMatchObject({ status: 202, body: "" });
  });

  test("reports an unknown method and an unknown tool with status 200", async () => {
    expect(await post(rpcRequest("resources/list"))).toMatchObject({
      status: 200,
      body: { error: { code: -32601 } },
    });
    expect(await post(rpcRequest("tools/call", { name: "dropTables" }))).toMatchObject({
      status: 200,
      body: { error: { code: -32602 } },
    });
  });

  test("refuses an unknown version and names the supported ones", async () => {
    const response = await post(rpcRequest("tools/list"), { "MCP-Protocol-Version": "1900-01-01" });
    expect(response).toMatchObject({
      status: 400,
      body: { error: { code: -32022, data: { requested: "1900-01-01" } } },
    });
    expect(Object(response.body).error.data.supported).toContain("2026-07-28");
  });
});

describe("batches", () => {
  const batch = [
    rpcRequest("ping", {}, "a"),
    { jsonrpc: "2.0", method: "x" },
    rpcRequest("ping", {}, "b"),
  ];

  test("are answered in 2025-03-26, also without the header", async () => {
    for (const headers of [{}, { "MCP-Protocol-Version": "2025-03-26" }]) {
      const { status, body } = await post(batch, headers);
      expect(status).toBe(200);
      expect(body).toEqual([
        { jsonrpc: "2.0", id: "a", result: {} },
        { jsonrpc: "2.0", id: "b", result: {} },
      ]);
    }
  });

  test("are refused in later revisions, when empty, when too long and with initialize", async () => {
    const later = await post(batch, { "MCP-Protocol-Version": "2025-06-18" });
    expect(later).toMatchObject({ status: 400, body: { error: { code: -32600 } } });
    expect((await post([])).status).toBe(400);
    expect((await post(Array(11).fill(rpcRequest("ping")))).status).toBe(400);
    const { body } = await post([initialize("2025-03-26")]);
    expect(body).toMatchObject([{ error: { code: -32600 } }]);
  });
});

describe("the revision without a handshake", () => {
  test("discovers the server", async () => {
    const { status, body } = await postStateless("server/discover");
    expect(status).toBe(200);
    expect(body).toMatchObject({
      result: {
        resultType: "complete",
        supportedVersions: ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"],
        capabilities: { tools: {} },
        cacheScope: "private",
        _meta: { "io.modelcontextprotocol/serverInfo": { name: "duka-merchants" } },
      },
    });
  });

  test("lists tools with how long they may be kept, and calls one", async () => {
    const list = await postStateless("tools/list");
    expect(Object(list.body).result).toMatchObject({
      resultType: "complete",
      ttlMs: 300_000,
      cacheScope: "private",
    });
    const called = await postStateless("tools/call", { name: "listProducts", arguments: {} });
    expect(called).toMatchObject({
      status: 200,
      body: { result: { resultType: "complete", structuredContent: { success: true } } },
    });
  });

  test("takes the name of a tool in base 64", async () => {
    const encoded = { "Mcp-Name": `=?base64?${btoa("listProducts")}?=` };
    const { status } = await postStateless("tools/call", { name: "listProducts" }, encoded);
    expect(status).toBe(200);
  });

  test.each(["ping", "initialize", "subscriptions/listen", "resources/list"])(
    "has no %s",
    async (method) => {
      expect(await postStateless(method)).toMatchObject({
        status: 404,
        body: { id: 1, error: { code: -32601 } },
      });
    },
  );

  test.each([
    ["another version", { "MCP-Protocol-Version": "2025-11-25" }],
    ["another method", { "Mcp-Method": "tools/list" }],
    ["another tool", { "Mcp-Name": "refundOrder" }],
    ["a malformed tool", { "Mcp-Name": "=?base64?%%?=" }],
  ])("refuses a header with %s", async (_, headers) => {
    const response = await postStateless("tools/call", { name: "listProducts" }, headers);
    expect(response).toMatchObject({ status: 400, body: { error: { code: -32020 } } });
  });

  test("refuses a request that lacks its version, its capabilities or its headers", async () => {
    const { message, headers } = statelessRequest("tools/list");
    expect(await post(rpcRequest("tools/list"), headers)).toMatchObject({
      status: 400,
      body: { error: { code: -32602 } },
    });
    expect(await post(message)).toMatchObject({ status: 400, body: { error: { code: -32020 } } });
    const bare = rpcRequest("tools/list", {
      _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" },
    });
    expect(await post(bare, headers)).toMatchObject({
      status: 400,
      body: { error: { code: -32602 } },
    });
  });

  test("refuses a version that it does not know", async () => {
    const { message } = statelessRequest("tools/list");
    const text = JSON.stringify(message).replace("2026-07-28", "2031-01-01");
    expect(await post(JSON.parse(text), { "MCP-Protocol-Version": "2031-01-01" })).toMatchObject({
      status: 400,
      body: { error: { code: -32022 } },
    });
  });
});

describe("HTTP", () => {
  test("answers with a stream when the client accepts nothing else", async () => {
    const { status, body, headers } = await post(rpcRequest("ping"), {
      Accept: "text/event-stream",
    });
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("text/event-stream");
    expect(body).toBe('event: message\ndata: {"jsonrpc":"2.0","id":1,"result":{}}\n\n');
  });

  test("has neither a stream for GET nor sessions to delete", async () => {
    for (const method of ["GET", "DELETE"]) {
      const { status, headers } = await call(method, path, { headers: credential });
      expect([status, headers.get("allow")]).toEqual([405, "POST"]);
    }
  });

  test.each([
    ["a body that is no JSON", { rawBody: "{" }, 400, -32700],
    ["an empty body", { rawBody: "" }, 400, -32700],
    ["a body that is too large", { rawBody: `"${"x".repeat(1024 * 1024)}"` }, 413, -32600],
    ["a body that is nested too deeply", { rawBody: "[".repeat(60) + "]".repeat(60) }, 400, -32600],
    ["a number", { body: 1 }, 400, -32600],
    ["no version of JSON-RPC", { body: { id: 1, method: "ping" } }, 400, -32600],
    ["null as id", { body: { jsonrpc: "2.0", id: null, method: "ping" } }, 400, -32600],
    ["an object as id", { body: { jsonrpc: "2.0", id: {}, method: "ping" } }, 400, -32600],
    ["no method", { body: { jsonrpc: "2.0", id: 1 } }, 400, -32600],
    ["a list as params", { body: rpcRequest("ping", []) }, 400, -32602],
    ["a cursor that is no text", { body: rpcRequest("tools/list", { cursor: 1 }) }, 200, -32602],
    ["an unknown cursor", { body: rpcRequest("tools/list", { cursor: "x" }) }, 200, -32602],
    ["a tool without a name", { body: rpcRequest("tools/call", {}) }, 200, -32602],
    [
      "a name of a prototype",
      { body: rpcRequest("tools/call", { name: "__proto__" }) },
      200,
      -32602,
    ],
    [
      "arguments that are no object",
      { body: rpcRequest("tools/call", { name: "listOrders", arguments: [] }) },
      200,
      -32602,
    ],
  ])("refuses %s", async (_, options, status, code) => {
    const response = await call("POST", path, {
      ...options,
      headers: { ...credential, "Content-Type": "application/json" },
    });
    expect(response).toMatchObject({ status, body: { jsonrpc: "2.0", error: { code } } });
  });

  test("refuses other types of content, and clients that accept neither JSON nor a stream", async () => {
    const form = { ...credential, "Content-Type": "text/plain" };
    expect((await call("POST", path, { rawBody: "{}", headers: form })).status).toBe(415);
    expect((await post(rpcRequest("ping"), { Accept: "text/html" })).status).toBe(406);
  });

  test("refuses pages of other origins", async () => {
    const statusFrom = async (origin: string) =>
      (await post(rpcRequest("ping"), { Origin: origin })).status;
    expect(await statusFrom("https://duka.test")).toBe(200);
    for (const origin of [
      "https://evil.example",
      "http://duka.test",
      "null",
      "https://duka.test.evil",
    ])
      expect(await statusFrom(origin)).toBe(403);
  });
});
