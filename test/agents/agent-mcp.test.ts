import { beforeEach, expect, test } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { changeSettings } from "../support/settings.ts";
import { call, createBusiness } from "../support/world.ts";
import { postMessage, rpcRequest, statelessRequest } from "./mcp-client.ts";

let shop: CreatedBusiness;

beforeEach(async () => {
  shop = await createBusiness({ name: "Adinkra Goods" });
});

const path = () => `/agents/${shop.business.slug}/ucp/mcp`;

test("an agent learns what the shop speaks, with and without a handshake", async () => {
  const initialized = await postMessage(
    path(),
    rpcRequest("initialize", { protocolVersion: "2025-11-25" }),
  );
  expect(initialized.body).toMatchObject({
    result: { protocolVersion: "2025-11-25", serverInfo: { title: "Adinkra Goods" } },
  });
  const { message, headers } = statelessRequest("server/discover");
  expect((await postMessage(path(), message, { headers })).body).toMatchObject({
    result: { resultType: "complete", cacheScope: "public", capabilities: { tools: {} } },
  });
});

test("an unknown shop has no tools", async () => {
  const response = await postMessage("/agents/no-such-shop/ucp/mcp", rpcRequest("ping"));
  expect(response).toMatchObject({
    status: 404,
    body: { jsonrpc: "2.0", error: { code: -32000 } },
  });
});

test("only pages of the business may call, and those that it allows", async () => {
  const from = (Origin: string) => postMessage(path(), rpcRequest("ping"), { headers: { Origin } });
  expect((await from("https://duka.test")).status).toBe(200);
  const refused = await from("https://agent.example");
  expect(refused).toMatchObject({ status: 403, body: { error: { code: -32000 } } });
  shop = await createBusiness();
  await changeSettings(shop, { allowedOrigins: ["https://agent.example"] });
  expect((await from("https://agent.example")).status).toBe(200);
});

test("a body that is too large, and other methods, are refused", async () => {
  const rawBody = `"${"x".repeat(1024 * 1024)}"`;
  const headers = { "Content-Type": "application/json" };
  expect(await call("POST", path(), { rawBody, headers })).toMatchObject({
    status: 413,
    body: { error: { code: -32600 } },
  });
  for (const method of ["GET", "DELETE"]) expect((await call(method, path())).status).toBe(405);
});
