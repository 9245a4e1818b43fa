import { env, exports } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../../shared/businesses/index.ts";
import { uniqueEmail } from "../../link/create-logins.ts";
import { createBusiness } from "../../support/world.ts";
import { hostProfiles } from "../platform.ts";
import {
  createOAuthFlow,
  isActive,
  type OAuthFlow,
  origin,
  post,
  readBody,
  readScope,
  redirectOf,
  redirectUri,
  send,
} from "./oauth-flow.ts";

hostProfiles();

let shop: CreatedBusiness;
let flow: OAuthFlow;

beforeEach(async () => {
  shop = await createBusiness();
  flow = createOAuthFlow(shop);
});

describe("metadata", () => {
  it("names the endpoints below the issuer, with PKCE, iss and clients by document", async () => {
    const response = await send(`${flow.address}/.well-known/oauth-authorization-server`);
    const metadata = await readBody(response);
    expect(metadata).toMatchObject({
      issuer: flow.address,
      authorization_endpoint: `${flow.address}/oauth/authorize`,
      token_endpoint: `${flow.address}/oauth/token`,
      revocation_endpoint: `${flow.address}/oauth/revoke`,
      code_challenge_methods_supported: ["S256"],
      token_endpoint_auth_methods_supported: ["private_key_jwt", "none"],
      authorization_response_iss_parameter_supported: true,
    });
    expect(metadata.scopes_supported).toContain(readScope);
    const inserted = `${origin}/.well-known/oauth-authorization-server/agents/${shop.business.slug}`;
    expect(await readBody(await send(inserted))).toEqual(metadata);
  });

  it("names what it protects, and has no other discovery document", async () => {
    const path = `/agents/${shop.business.slug}`;
    const resource = await readBody(
      await send(`${origin}/.well-known/oauth-protected-resource${path}`),
    );
    expect(resource).toMatchObject({
      resource: flow.address,
      authorization_servers: [flow.address],
    });
    expect((await send(`${flow.address}/.well-known/openid-configuration`)).status).toBe(404);
    expect(
      (await send(`${origin}/agents/unknown/.well-known/oauth-authorization-server`)).status,
    ).toBe(404);
  });

  it("has the business's own domain as issuer there", async () => {
    const response = await exports.default.fetch(
      new Request(
        `https://shop.example/agents/${shop.business.slug}/.well-known/oauth-authorization-server`,
        {
          headers: { "X-Shop-Domain": shop.business.slug },
        },
      ),
    );
    expect((await readBody(response)).issuer).toBe("https://shop.example");
  });
});

describe("the whole flow", () => {
  it("links a new customer, whose token works until it is revoked", async () => {
    const page = await send(flow.authorizeUrl());
    const html = await page.text();
    expect(page.status).toBe(200);
    expect(html).toContain("Agent &lt;b&gt;Ada&lt;/b&gt;");
    expect(html).not.toContain("<b>Ada");
    expect(html).toContain(new URL(flow.client).host);
    const { code, state, iss, target, contact } = await flow.allow();
    expect({ state, iss, target }).toEqual({
      state: "s 1&",
      iss: flow.address,
      target: redirectUri,
    });
    const response = await flow.exchange(code);
    expect(response.headers.get("cache-control")).toBe("no-store");
    const tokens = await readBody(response);
    expect(tokens).toMatchObject({ token_type: "Bearer", expires_in: 3600, scope: readScope });
    const grant = await env.CORE.prepare("select * from link_platform_grants where business_id = ?")
      .bind(shop.business.id)
      .first();
    expect(grant).toMatchObject({ client_id: flow.client, redirect_uri: redirectUri });
    const customer = await env[shop.business.shard === "SHOP_1" ? "SHOP_1" : "SHOP_2"]
      .prepare("select email from customers where id = ?")
      .bind(grant?.customer_id)
      .first();
    expect(customer?.email).toBe(contact);
    expect(JSON.stringify(grant)).not.toContain(code);
    const next = await readBody(await flow.refresh(tokens.refresh_token));
    expect(await isActive(next)).toBe(true);
    const revoked = await flow.revoke(next.refresh_token);
    expect(revoked.status).toBe(200);
    expect(await isActive(next)).toBe(false);
    expect(await readBody(await flow.refresh(next.refresh_token))).toMatchObject({
      error: "invalid_grant",
    });
  });
});

describe("the authorize page", () => {
  it.each([
    ["unsupported_response_type", { response_type: "token" }],
    ["invalid_request", { code_challenge: null }],
    ["invalid_request", { code_challenge: "short" }],
    ["invalid_request", { code_challenge_method: "plain" }],
    ["invalid_request", { code_challenge_method: null }],
    ["invalid_scope", { scope: null }],
    ["invalid_scope", { scope: `${readScope} everything` }],
    ["invalid_target", { resource: "https://other.example" }],
  ])("reports %s to the platform for %j", async (error, changes) => {
    const redirect = redirectOf(await send(flow.authorizeUrl(changes)));
    expect(redirect).toMatchObject({
      target: redirectUri,
      error,
      state: "s 1&",
      iss: flow.address,
    });
  });

  it("cannot be framed, cached, listed or left to another site than the platform", async () => {
    const { headers } = await send(flow.authorizeUrl());
    expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    expect(headers.get("content-security-policy")).toContain(
      "form-action 'self' https://agent.example;",
    );
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("x-robots-tag")).toContain("noindex");
    expect(headers.get("referrer-policy")).toBe("same-origin");
  });

  it("cancels, and refuses forms of other sites", async () => {
    expect(redirectOf(await flow.submit({ action: "cancel" }))).toMatchObject({
      target: redirectUri,
      error: "access_denied",
      iss: flow.address,
    });
    const contact = uniqueEmail();
    await flow.submit({ action: "send_code", contact });
    const fields = { action: "allow", contact, code: "123456" };
    const foreign = await flow.submit(fields, flow.authorizeUrl(), "https://evil.example");
    expect(foreign.status).toBe(403);
    expect((await post(flow.authorizeUrl(), fields)).status).toBe(403);
  });

  it("says what is wrong with a contact and a code, and grants nothing", async () => {
    expect((await flow.submit({ action: "send_code", contact: "nobody" })).status).toBe(400);
    const contact = uniqueEmail();
    await flow.submit({ action: "send_code", contact });
    expect((await flow.submit({ action: "allow", contact, code: "12" })).status).toBe(400);
    const wrong = await flow.submit({ action: "allow", contact, code: "654321" });
    expect(wrong.status).toBe(422);
    expect(await wrong.text()).toContain("This code is wrong");
    expect((await flow.submit({ action: "send_code", contact })).status).toBe(429);
    expect((await flow.submit({ action: "nothing" })).status).toBe(200);
    await flow.submit({ action: "allow", contact, code: "123456" });
    expect((await flow.submit({ action: "allow", contact, code: "123456" })).status).toBe(422);
  });
});
