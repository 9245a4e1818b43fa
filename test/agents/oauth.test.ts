import { env, exports } from "cloudflare:workers";
import { SignJWT } from "jose";
import { beforeEach, describe, expect, it } from "vitest";
import { runtime } from "../../functions/runtime/runtime.ts";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { createLogin, uniqueEmail, uniqueNetworkAddress } from "../link/create-logins.ts";
import { createProduct } from "../support/create-product.ts";
import { createBusiness } from "../support/world.ts";
import { createSigningKey, hostProfile, hostProfiles, profileOf } from "./platform.ts";

const origin = "https://duka.test";
const verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
const redirectUri = "https://agent.example/callback";
const readScope = "dev.ucp.shopping.order:read";

hostProfiles();

let shop: CreatedBusiness;
let address: string;
let client: string;

/** Hosts a client's document, which contains its own address. */
function hostClient(fields: object = {}): string {
  const id: string = hostProfile(() =>
    Response.json({
      client_id: id,
      client_name: "Agent <b>Ada</b>",
      redirect_uris: [redirectUri, "http://127.0.0.1/cb", "com.example.agent:/cb"],
      ...fields,
    }),
  );
  return id;
}

beforeEach(async () => {
  shop = await createBusiness({ name: "Corner shop" });
  address = `${origin}/agents/${shop.business.slug}`;
  client = hostClient();
});

const send = (url: string, init: RequestInit = {}) =>
  exports.default.fetch(
    new Request(url, {
      ...init,
      headers: { "CF-Connecting-IP": uniqueNetworkAddress(), ...Object(init.headers) },
      redirect: "manual",
    }),
  );

const post = (url: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  send(url, {
    method: "POST",
    body: new URLSearchParams(fields).toString(),
    headers: { "Content-Type": "application/x-www-form-urlencoded", ...headers },
  });

const authorizeUrl = (changes: Record<string, string | null> = {}) => {
  const parameters = {
    response_type: "code",
    client_id: client,
    redirect_uri: redirectUri,
    scope: readScope,
    state: "s 1&",
    code_challenge: challenge,
    code_challenge_method: "S256",
    ...changes,
  };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters))
    if (value !== null) query.set(name, value);
  return `${address}/oauth/authorize?${query}`;
};

const submit = (fields: Record<string, string>, url = authorizeUrl(), from = origin) =>
  post(url, fields, { Origin: from });

const redirectOf = (response: Response) => {
  expect(response.status).toBe(303);
  const url = new URL(response.headers.get("location") ?? "");
  return { target: url.origin + url.pathname, ...Object.fromEntries(url.searchParams) };
};

/** Goes through the page as a new customer, and returns what the platform gets. */
async function allow(url = authorizeUrl(), contact = uniqueEmail()) {
  expect((await submit({ action: "send_code", contact }, url)).status).toBe(200);
  const response = await submit({ action: "allow", contact, code: "123456" }, url);
  const redirect: Record<string, string> = redirectOf(response);
  const { code = "", state, iss, target } = redirect;
  return { contact, code, state, iss, target };
}

const exchange = (code: string, changes: Record<string, string> = {}, headers = {}) =>
  post(
    `${address}/oauth/token`,
    {
      grant_type: "authorization_code",
      client_id: client,
      redirect_uri: redirectUri,
      code_verifier: verifier,
      code,
      ...changes,
    },
    headers,
  );

const refresh = (token: string, changes: Record<string, string> = {}) =>
  post(`${address}/oauth/token`, {
    ...{ grant_type: "refresh_token", client_id: client, refresh_token: token, ...changes },
  });

const bodyOf = async (response: Response) => Object(await response.json());

async function link() {
  const { code } = await allow();
  return bodyOf(await exchange(code));
}

/** Whether the grant of a refresh token still works, without using the token up. */
const isActive = async ({ access_token }: { access_token: string }): Promise<boolean> => {
  const row = await env.CORE.prepare(
    `select g.revoked_at from link_platform_grants g join link_platform_tokens t on t.grant_id = g.id
     where t.hash = ?`,
  )
    .bind(await digestOf(access_token))
    .first();
  return row !== null && row.revoked_at === null;
};

async function digestOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

describe("metadata", () => {
  it("names the endpoints below the issuer, with PKCE, iss and clients by document", async () => {
    const response = await send(`${address}/.well-known/oauth-authorization-server`);
    const metadata = await bodyOf(response);
    expect(metadata).toMatchObject({
      issuer: address,
      authorization_endpoint: `${address}/oauth/authorize`,
      token_endpoint: `${address}/oauth/token`,
      revocation_endpoint: `${address}/oauth/revoke`,
      code_challenge_methods_supported: ["S256"],
      token_endpoint_auth_methods_supported: ["private_key_jwt", "none"],
      authorization_response_iss_parameter_supported: true,
    });
    expect(metadata.scopes_supported).toContain(readScope);
    const inserted = `${origin}/.well-known/oauth-authorization-server/agents/${shop.business.slug}`;
    expect(await bodyOf(await send(inserted))).toEqual(metadata);
  });

  it("names what it protects, and has no other discovery document", async () => {
    const path = `/agents/${shop.business.slug}`;
    const resource = await bodyOf(
      await send(`${origin}/.well-known/oauth-protected-resource${path}`),
    );
    expect(resource).toMatchObject({ resource: address, authorization_servers: [address] });
    expect((await send(`${address}/.well-known/openid-configuration`)).status).toBe(404);
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
    expect((await bodyOf(response)).issuer).toBe("https://shop.example");
  });
});

describe("the whole flow", () => {
  it("links a new customer, whose token works until it is revoked", async () => {
    const page = await send(authorizeUrl());
    const html = await page.text();
    expect(page.status).toBe(200);
    expect(html).toContain("Agent &lt;b&gt;Ada&lt;/b&gt;");
    expect(html).not.toContain("<b>Ada");
    expect(html).toContain(new URL(client).host);
    const { code, state, iss, target, contact } = await allow();
    expect({ state, iss, target }).toEqual({ state: "s 1&", iss: address, target: redirectUri });
    const response = await exchange(code);
    expect(response.headers.get("cache-control")).toBe("no-store");
    const tokens = await bodyOf(response);
    expect(tokens).toMatchObject({ token_type: "Bearer", expires_in: 3600, scope: readScope });
    const grant = await env.CORE.prepare("select * from link_platform_grants where business_id = ?")
      .bind(shop.business.id)
      .first();
    expect(grant).toMatchObject({ client_id: client, redirect_uri: redirectUri });
    const customer = await env[shop.business.shard === "SHOP_1" ? "SHOP_1" : "SHOP_2"]
      .prepare("select email from customers where id = ?")
      .bind(grant?.customer_id)
      .first();
    expect(customer?.email).toBe(contact);
    expect(JSON.stringify(grant)).not.toContain(code);
    const next = await bodyOf(await refresh(tokens.refresh_token));
    expect(await isActive(next)).toBe(true);
    const revoked = await post(`${address}/oauth/revoke`, {
      client_id: client,
      token: next.refresh_token,
    });
    expect(revoked.status).toBe(200);
    expect(await isActive(next)).toBe(false);
    expect(await bodyOf(await refresh(next.refresh_token))).toMatchObject({
      error: "invalid_grant",
    });
  });

  it("accepts a loopback address with any port, and an app's own scheme", async () => {
    for (const uri of ["http://127.0.0.1:51234/cb", "com.example.agent:/cb"]) {
      const { code } = await allow(authorizeUrl({ redirect_uri: uri }));
      expect((await exchange(code)).status).toBe(400);
      expect((await exchange(code, { redirect_uri: uri })).status).toBe(200);
    }
  });
});

describe("the authorize page", () => {
  it("shows an error and redirects nowhere without a known client and redirect URI", async () => {
    const untrusted = [
      { client_id: "not a url" },
      { client_id: "http://agent.example/client.json" },
      { client_id: "https://127.0.0.1/client.json" },
      { client_id: hostProfile(() => new Response("{}")) },
      { client_id: hostProfile(() => Response.redirect("https://evil.example/", 302)) },
      { client_id: hostProfile(() => new Response("x".repeat(70_000))) },
      { client_id: hostClient({ redirect_uris: ["javascript:alert(1)"] }) },
      { client_id: hostClient({ redirect_uris: ["http://agent.example/cb"] }) },
      { client_id: hostClient({ token_endpoint_auth_method: "client_secret_basic" }) },
      { redirect_uri: `${redirectUri}/` },
      { redirect_uri: `${redirectUri}?x=1` },
      { redirect_uri: "https://evil.example/callback" },
      { redirect_uri: "http://127.0.0.1:1/other" },
      { redirect_uri: null },
      { client_id: null },
    ];
    for (const changes of untrusted) {
      const response = await send(authorizeUrl(changes));
      expect([changes, response.status]).toEqual([changes, 400]);
      expect(response.headers.get("location")).toBeNull();
    }
    const twice = await send(
      `${authorizeUrl()}&redirect_uri=${encodeURIComponent("https://evil.example")}`,
    );
    expect(twice.status).toBe(400);
  });

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
    const redirect = redirectOf(await send(authorizeUrl(changes)));
    expect(redirect).toMatchObject({ target: redirectUri, error, state: "s 1&", iss: address });
  });

  it("cannot be framed, cached, listed or left to another site than the platform", async () => {
    const { headers } = await send(authorizeUrl());
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
    expect(redirectOf(await submit({ action: "cancel" }))).toMatchObject({
      target: redirectUri,
      error: "access_denied",
      iss: address,
    });
    const contact = uniqueEmail();
    await submit({ action: "send_code", contact });
    const fields = { action: "allow", contact, code: "123456" };
    const foreign = await submit(fields, authorizeUrl(), "https://evil.example");
    expect(foreign.status).toBe(403);
    expect((await post(authorizeUrl(), fields)).status).toBe(403);
  });

  it("says what is wrong with a contact and a code, and grants nothing", async () => {
    expect((await submit({ action: "send_code", contact: "nobody" })).status).toBe(400);
    const contact = uniqueEmail();
    await submit({ action: "send_code", contact });
    expect((await submit({ action: "allow", contact, code: "12" })).status).toBe(400);
    const wrong = await submit({ action: "allow", contact, code: "654321" });
    expect(wrong.status).toBe(422);
    expect(await wrong.text()).toContain("This code is wrong");
    expect((await submit({ action: "send_code", contact })).status).toBe(429);
    expect((await submit({ action: "nothing" })).status).toBe(200);
    await submit({ action: "allow", contact, code: "123456" });
    expect((await submit({ action: "allow", contact, code: "123456" })).status).toBe(422);
  });
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
    const { code } = await allow();
    const response = await exchange(code, changes);
    expect(response.status).toBe(error === "invalid_client" ? 401 : 400);
    expect(await bodyOf(response)).toMatchObject({ error });
    expect((await exchange(code)).status).toBe(200);
  });

  it("takes a code from its own client and business only", async () => {
    const { code } = await allow();
    const other = await createBusiness();
    expect((await exchange(code, { client_id: hostClient() })).status).toBe(400);
    const elsewhere = await post(`${origin}/agents/${other.business.slug}/oauth/token`, {
      grant_type: "authorization_code",
      ...{ client_id: client, redirect_uri: redirectUri, code_verifier: verifier, code },
    });
    expect(elsewhere.status).toBe(400);
    expect((await exchange(code)).status).toBe(200);
  });

  it("revokes the grant of a code or refresh token that is used twice", async () => {
    const { code } = await allow();
    const tokens = await bodyOf(await exchange(code));
    expect((await exchange(code)).status).toBe(400);
    expect(await isActive(tokens)).toBe(false);
    const others = await link();
    const next = await bodyOf(await refresh(others.refresh_token));
    expect((await refresh(others.refresh_token)).status).toBe(400);
    expect(await isActive(next)).toBe(false);
  });

  it("repeats its response for a repeated Idempotency-Key", async () => {
    const { code } = await allow();
    const headers = { "Idempotency-Key": "key-1" };
    const tokens = await bodyOf(await exchange(code, {}, headers));
    expect(await bodyOf(await exchange(code, {}, headers))).toEqual(tokens);
    expect(await isActive(tokens)).toBe(true);
  });

  it("reads forms alone, and each field once", async () => {
    const json = await send(`${address}/oauth/token`, {
      method: "POST",
      body: "{}",
      headers: { "Content-Type": "application/json" },
    });
    expect([json.status, (await bodyOf(json)).error]).toEqual([400, "invalid_request"]);
    const twice = await send(`${address}/oauth/token`, {
      method: "POST",
      body: "code=1&code=2",
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
    });
    expect(twice.status).toBe(400);
    const huge = await post(`${address}/oauth/token`, { code: "x".repeat(40_000) });
    expect(huge.status).toBe(413);
  });

  it("verifies the assertion of a client that has registered keys", async () => {
    const { key, publicKey } = await createSigningKey("k1");
    const { key: foreignKey } = await createSigningKey("k1");
    client = hostClient({
      token_endpoint_auth_method: "private_key_jwt",
      jwks: { keys: [publicKey] },
    });
    const assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
    const assert = async (changes: Record<string, unknown> = {}, { privateKey } = key) => ({
      client_assertion_type: assertionType,
      client_assertion: await new SignJWT({
        ...{ iss: client, sub: client, aud: address, jti: "1" },
        exp: Math.floor(Date.now() / 1000) + 60,
        ...changes,
      })
        .setProtectedHeader({ alg: "ES256", kid: "k1" })
        .sign(privateKey),
    });
    const { code } = await allow();
    const refused = [
      {},
      await assert({ aud: "https://other.example" }),
      await assert({ iss: "https://other.example/c" }),
      await assert({ exp: Math.floor(Date.now() / 1000) - 10 }),
      await assert({ exp: Math.floor(Date.now() / 1000) + 3_600 }),
      await assert({}, foreignKey),
    ];
    for (const fields of refused) {
      const response = await exchange(code, fields);
      expect([response.status, (await bodyOf(response)).error]).toEqual([401, "invalid_client"]);
    }
    const tokens = await bodyOf(await exchange(code, await assert()));
    const revokeUrl = `${address}/oauth/revoke`;
    const token = tokens.refresh_token;
    expect((await post(revokeUrl, { client_id: client, token })).status).toBe(401);
    expect(await isActive(tokens)).toBe(true);
    const fields = {
      client_id: client,
      token,
      ...(await assert({ aud: `${address}/oauth/token` })),
    };
    expect((await post(revokeUrl, fields)).status).toBe(200);
    expect(await isActive(tokens)).toBe(false);
  });
});

describe("revocation", () => {
  it("is fine with an unknown token, and ignores one of another client", async () => {
    const tokens = await link();
    const revoke = (fields: Record<string, string>) => post(`${address}/oauth/revoke`, fields);
    expect((await revoke({ client_id: client, token: "lpr_x" })).status).toBe(200);
    const foreign = { client_id: hostClient(), token: tokens.refresh_token };
    expect((await revoke(foreign)).status).toBe(200);
    expect(await isActive(tokens)).toBe(true);
    await revoke({ client_id: client, token: tokens.access_token });
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

  const readOrder = (token: string, profileUrl = client) =>
    send(`${address}/ucp/orders/${runtime.newId("ord")}`, {
      headers: { "UCP-Agent": `profile="${profileUrl}"`, Authorization: `Bearer ${token}` },
    });

  it("gives a call of its own platform the linked buyer, until it is revoked", async () => {
    client = await hostPlatform();
    const tokens = await link();
    expect((await readOrder(tokens.access_token)).status).toBe(200);
    await post(`${address}/oauth/revoke`, { client_id: client, token: tokens.refresh_token });
    expect((await readOrder(tokens.access_token)).status).toBe(401);
  });

  it("begins a checkout with what Link knows of a buyer who allowed that", async () => {
    client = await hostPlatform();
    const product = await createProduct(shop);
    const createCheckout = async (scope: string) => {
      const { code, contact } = await allow(authorizeUrl({ scope }));
      const { access_token } = await bodyOf(await exchange(code));
      const login = await createLogin(shop, { contact });
      const home = { street_address: "1 Ring Road", city: "Accra", country: "gh" };
      await login.ask("POST", "/addresses", { body: home });
      const response = await send(`${address}/ucp/checkout-sessions`, {
        method: "POST",
        body: JSON.stringify({ line_items: [{ item: { id: product.id }, quantity: 1 }] }),
        headers: {
          "Content-Type": "application/json",
          "UCP-Agent": `profile="${client}"`,
          Authorization: `Bearer ${access_token}`,
        },
      });
      expect(response.status).toBe(201);
      const { buyer, fulfillment } = await bodyOf(response);
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
    client = await hostPlatform();
    const tokens = await link();
    const wrong = [
      await readOrder("lpa_unknown"),
      await readOrder("anything"),
      await readOrder(tokens.refresh_token),
      await readOrder(tokens.access_token, await hostPlatform()),
    ];
    for (const response of wrong) {
      expect(response.status).toBe(401);
      const challenge = response.headers.get("www-authenticate");
      expect(challenge).toContain(`Bearer realm="${address}", error="invalid_token"`);
      expect(challenge).toContain("resource_metadata=");
      expect((await bodyOf(response)).messages[0]).toMatchObject({ code: "identity_required" });
    }
  });
});
