import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newBusiness, sheaSoap } from "../request-bodies.ts";
import { operatorToken, type ServeProcess, startServe } from "./serve-process.ts";
import { canMakeCertificates, startTlsProxy, type TlsProxy } from "./tls-proxy.ts";
import { type CliSettings, type ProfileServer, runUcp, serveProfile } from "./ucp-cli.ts";

const slug = "adinkra-goods";
const hostname = `${slug}.localhost`;

let folder: string;
let service: ServeProcess | undefined;
let proxy: TlsProxy | undefined;
let settings: CliSettings;
let businessPath: string;
let secretKey: string;

/** Calls the business API as the merchant, or as the operator. */
async function callApi(method: string, path: string, body?: object, key = secretKey) {
  const response = await fetch(new URL(path, service?.url), {
    method,
    headers: {
      ...(key === operatorToken ? { Authorization: `Bearer ${key}` } : { "X-API-Key": key }),
      ...(body !== undefined && { "Content-Type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const answer = Object(await response.json());
  if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
  return answer.data;
}

/** The result of a command of `ucp`, with what the command prints beside it as `ucp`. */
const ucp = async (...args: string[]) => {
  const { result, ucp: metadata, ...rest } = await runUcp(settings, ...args);
  if (result === undefined) throw new Error(JSON.stringify(rest));
  return { ...Object(result), ucp: Object(metadata) };
};

describe.skipIf(!canMakeCertificates())("@shopify/ucp-cli", () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "duka-agents-"));
    service = await startServe(join(folder, "state"));
    proxy = await startTlsProxy(folder, { hostname, service: service.url });
    settings = {
      home: join(folder, "ucp"),
      business: `https://${hostname}`,
      proxyUrl: proxy.url,
      authority: proxy.authority,
    };
    const created = await callApi(
      "POST",
      "/v1/businesses",
      { ...newBusiness, slug },
      operatorToken,
    );
    secretKey = created.keys.secret;
    businessPath = `/v1/businesses/${created.business.id}`;
    const soap = await callApi("POST", `${businessPath}/products`, sheaSoap);
    const stock = `${businessPath}/inventory/${soap.id}/locations/${created.location.id}`;
    await callApi("PUT", stock, { quantity_on_hand: 20 });
  });

  afterAll(async () => {
    await proxy?.stop();
    await service?.stop();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });

  describe.each(["2026-08-25", "2026-04-08"] as const)("with release %s", (release) => {
    let profile: ProfileServer;
    let itemId: string;

    beforeAll(async () => {
      profile = await serveProfile(settings, release);
    });
    afterAll(() => profile?.stop());

    it("discovers the business and its thirteen operations", async () => {
      const found = await ucp("discover", "--refresh");
      expect(found.protocol.version).toBe(release);
      const tools = Object.keys(found.negotiated["dev.ucp.shopping"].tools);
      expect(tools).toHaveLength(13);
    });

    it("finds a product", async () => {
      const { products } = await ucp("catalog", "search", "--set", "/query=soap");
      expect(products).toMatchObject([{ title: "Shea Soap" }]);
      [{ id: itemId }] = products[0].variants;
    });

    it("fills a cart, checks out and places an order", async () => {
      const lines = [{ item: { id: itemId }, quantity: 2 }];
      const cart = await ucp("cart", "create", "--input", JSON.stringify({ line_items: lines }));
      expect(cart.totals).toContainEqual(expect.objectContaining({ type: "total", amount: 4976 }));
      const fromCart = JSON.stringify({ cart_id: cart.id, line_items: [] });
      const created = await ucp("checkout", "create", "--input", fromCart);
      expect(created.status).toBe("incomplete");
      const buyer = { first_name: "Ama", email: "ama@example.com" };
      const line_items = [{ id: created.line_items[0].id, item: { id: itemId }, quantity: 2 }];
      const ready = await ucp(
        ...["checkout", "update", created.id, "--input", JSON.stringify({ buyer, line_items })],
      );
      expect(ready).toMatchObject({ status: "ready_for_complete", buyer });
      const [sandbox] = ready.ucp.payment_handlers["dev.duka.sandbox"];
      const instrument = {
        ...{ id: "instrument-1", handler_id: sandbox.id, selected: true },
        type: sandbox.available_instruments?.[0]?.type ?? "token",
        credential: { type: "token", token: "success_token" },
      };
      const payment = JSON.stringify({ payment: { instruments: [instrument] } });
      const completed = await ucp("checkout", "complete", created.id, "--input", payment);
      expect(completed.status).toBe("completed");
      const order = await callApi("GET", `${businessPath}/orders/${completed.order.id}`);
      expect(order).toMatchObject({
        status: "confirmed",
        payment_status: "succeeded",
        total_price: "49.76",
      });
    });
  });
});
