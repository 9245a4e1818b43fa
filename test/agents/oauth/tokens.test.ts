import { beforeEach, describe, expect, it } from "vitest";
import { runtime } from "../../../functions/runtime/runtime.ts";
import type { CreatedBusiness } from "../../../shared/businesses/index.ts";
import { createLogin } from "../../link/create-logins.ts";
import { createProduct } from "../../support/create-product.ts";
import { createBusiness } from "../../support/world.ts";
import { createSigningKey, hostProfile, hostProfiles, profileOf } from "../platform.ts";
import {
  createOAuthFlow,
  hostClient,
  isActive,
  type OAuthFlow,
  post,
  readBody,
  readScope,
  redirectUri,
  send,
  verifier,
} from "./oauth-flow.ts";

hostProfiles();

let shop: CreatedBusiness;
let flow: OAuthFlow;

beforeEach(async () => {
  shop = await createBusiness();
  flow = createOAuthFlow(shop);
});

describe("the token endpoint", () => {
  it.each([
    ["invalid_grant", { code: "lpc_unknown" }],
    ["invalid_grant", { code_verifier: `${verifier.slice(1)}x` }],
    ["invalid_grant", { code_verifier: "short" }],
    ["invalid_grant", { redirect_uri: "https://agent.example/other" }],
    ["invalid_request", { code_verifier: "" }],
    ["unsupported_grant_type", { grant_type: "password" }],
    ["invalid_client", { client_id: "https://nobody.example/c.json" }],
    ["invalid_client", { client_secret: "x" }],
    ["invalid_client", { client_assertion: "x" }],
  ])("answers %s to %j", async (error, changes) => {
    const { code } = await flow.allow();
    const response = await flow.exchange(code, changes);
    expect(response.status).toBe(error === "invalid_client" ? 401 : 400);
    expect(await readBody(response)).toMatchObject({ error });
    expect((await flow.exchange(code)).status).toBe(200);
  });

  it("revokes the grant of a code or refresh token that is used twice", async () => {
    const { code } = await flow.allow();
    const tokens = await readBody(await flow.exchange(code));
    expect((await flow.exchange(code)).status).toBe(400);
    expect(await isActive(tokens)).toBe(false);
    const others = await flow.link();
    const next = await readBody(await flow.refresh(others.refresh_token));
    expect((await flow.refresh(others.refresh_token)).status).toBe(400);
    expect(await isActive(next)).toBe(false);
  });

  it("repeats its response for a repeated Idempotency-Key", async () => {
    const { code } = await flow.allow();
    const headers = { "Idempotency-Key": "key-1" };
    const tokens = await readBody(await flow.exchange(code, {}, headers));
    expect(await readBody(await flow.exchange(code, {}, headers))).toEqual(tokens);
    expect(await isActive(tokens)).toBe(true);
  });

  it("reads forms alone, and each field once", async () => {
    const json = await send(`${flow.address}/oauth/token`, {
      method: "POST",
      body: "{}",
      headers: { "Content-Type": "application/json" },
    });
    expect([json.status, (await readBody(json)).error]).toEqual([400, "invalid_request"]);
    const twice = await send(`${flow.address}/oauth/token`, {
      method: "POST",
      body: "code=1&code=2",
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
    });
    expect(twice.status).toBe(400);
    const huge = await post(`${flow.address}/oauth/token`, { code: "x".repeat(40_000) });
    expect(huge.status).toBe(413);
  });
});

describe("revocation", () => {
  it("is fine with an unknown token, and ignores one of another client", async () => {
    const tokens = await flow.link();
    expect((await flow.revoke("lpr_x")).status).toBe(200);
    const foreign = await flow.revoke(tokens.refresh_token, { client_id: hostClient() });
    expect(foreign.status).toBe(200);
    expect(await isActive(tokens)).toBe(true);
    await flow.revoke(tokens.access_token);
    expect(await isActive(tokens)).toBe(false);
  });
});

describe("a bearer token", () => {
  /** Hosts a platform's profile that is its client document too. */
  async function hostPlatform(): Promise<string> {
    const { publicKey } = await createSigningKey("platform-1");
    const id: string = hostProfile(() =>
      Response.json({ ...profileOf([publicKey]), client_id: id, redirect_uris: [redirectUri] }),
    );
    return id;
  }

  const readOrder = (token: string, profileUrl = flow.client) =>
    send(`${flow.address}/ucp/orders/${runtime.newId("ord")}`, {
      headers: { "UCP-Agent": `profile="${profileUrl}"`, Authorization: `Bearer ${token}` },
    });

  it("gives a call of its own platform the linked buyer, until it is revoked", async () => {
    flow = createOAuthFlow(shop, await hostPlatform());
    const tokens = await flow.link();
    expect((await readOrder(tokens.access_token)).status).toBe(200);
    await flow.revoke(tokens.refresh_token);
    expect((await readOrder(tokens.access_token)).status).toBe(401);
  });

  it("begins a checkout with what Link knows of a buyer who allowed that", async () => {
    flow = createOAuthFlow(shop, await hostPlatform());
    const product = await createProduct(shop);
    const createCheckout = async (scope: string) => {
      const { code, contact } = await flow.allow(flow.authorizeUrl({ scope }));
      const { access_token } = await readBody(await flow.exchange(code));
      const login = await createLogin(shop, { contact });
      const home = { street_address: "1 Ring Road", city: "Accra", country: "gh" };
      await login.ask("POST", "/addresses", { body: home });
      const response = await send(`${flow.address}/ucp/checkout-sessions`, {
        method: "POST",
        body: JSON.stringify({ line_items: [{ item: { id: product.id }, quantity: 1 }] }),
        headers: {
          "Content-Type": "application/json",
          "UCP-Agent": `profile="${flow.client}"`,
          Authorization: `Bearer ${access_token}`,
        },
      });
      expect(response.status).toBe(201);
      const { buyer, fulfillment } = await readBody(response);
      return { contact, buyer, method: fulfillment.methods[0] };
    };
    const { contact, buyer, method } = await createCheckout("dev.ucp.shopping.checkout:manage");
    expect(buyer).toEqual({ email: contact });
    expect(method).toMatchObject({
      selected_destination_id: expect.stringMatching(/^addr_/),
      destinations: [{ street_address: "1 Ring Road", address_country: "GH" }],
    });
    const unknown = await createCheckout(readScope);
    expect(unknown.buyer).toBeUndefined();
    expect(unknown.method.destinations).toEqual([]);
  });

  it("is refused with a challenge when it is unknown, of another platform or a refresh token", async () => {
    flow = createOAuthFlow(shop, await hostPlatform());
    const tokens = await flow.link();
    const wrong = [
      await readOrder("lpa_unknown"),
      await readOrder("anything"),
      await readOrder(tokens.refresh_token),
      await readOrder(tokens.access_token, await hostPlatform()),
    ];
    for (const response of wrong) {
      expect(response.status).toBe(401);
      const challenge = response.headers.get("www-authenticate");
      expect(challenge).toContain(`Bearer realm="${flow.address}", error="invalid_token"`);
      expect(challenge).toContain("resource_metadata=");
      expect((await readBody(response)).messages[0]).toMatchObject({ code: "identity_required" });
    }
  });
});
