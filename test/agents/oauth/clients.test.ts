import { SignJWT } from "jose";
import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../../shared/businesses/index.ts";
import { createBusiness } from "../../support/world.ts";
import { createSigningKey, hostProfile, hostProfiles } from "../platform.ts";
import {
  createOAuthFlow,
  hostClient,
  isActive,
  type OAuthFlow,
  origin,
  post,
  readBody,
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

describe("the whole flow", () => {
  it("accepts a loopback address with any port, and an app's own scheme", async () => {
    for (const uri of ["http://127.0.0.1:51234/cb", "com.example.agent:/cb"]) {
      const { code } = await flow.allow(flow.authorizeUrl({ redirect_uri: uri }));
      expect((await flow.exchange(code)).status).toBe(400);
      expect((await flow.exchange(code, { redirect_uri: uri })).status).toBe(200);
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
      const response = await send(flow.authorizeUrl(changes));
      expect([changes, response.status]).toEqual([changes, 400]);
      expect(response.headers.get("location")).toBeNull();
    }
    const twice = await send(
      `${flow.authorizeUrl()}&redirect_uri=${encodeURIComponent("https://evil.example")}`,
    );
    expect(twice.status).toBe(400);
  });
});

describe("the token endpoint", () => {
  it("takes a code from its own client and business only", async () => {
    const { code } = await flow.allow();
    const other = await createBusiness();
    expect((await flow.exchange(code, { client_id: hostClient() })).status).toBe(400);
    const elsewhere = await post(`${origin}/agents/${other.business.slug}/oauth/token`, {
      grant_type: "authorization_code",
      ...{ client_id: flow.client, redirect_uri: redirectUri, code_verifier: verifier, code },
    });
    expect(elsewhere.status).toBe(400);
    expect((await flow.exchange(code)).status).toBe(200);
  });

  it("verifies the assertion of a client that has registered keys", async () => {
    const { key, publicKey } = await createSigningKey("k1");
    const { key: foreignKey } = await createSigningKey("k1");
    flow = createOAuthFlow(
      shop,
      hostClient({
        token_endpoint_auth_method: "private_key_jwt",
        jwks: { keys: [publicKey] },
      }),
    );
    const assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
    const assert = async (changes: Record<string, unknown> = {}, { privateKey } = key) => ({
      client_assertion_type: assertionType,
      client_assertion: await new SignJWT({
        ...{ iss: flow.client, sub: flow.client, aud: flow.address, jti: "1" },
        exp: Math.floor(Date.now() / 1000) + 60,
        ...changes,
      })
        .setProtectedHeader({ alg: "ES256", kid: "k1" })
        .sign(privateKey),
    });
    const { code } = await flow.allow();
    const refused = [
      {},
      await assert({ aud: "https://other.example" }),
      await assert({ iss: "https://other.example/c" }),
      await assert({ exp: Math.floor(Date.now() / 1000) - 10 }),
      await assert({ exp: Math.floor(Date.now() / 1000) + 3_600 }),
      await assert({}, foreignKey),
    ];
    for (const fields of refused) {
      const response = await flow.exchange(code, fields);
      expect([response.status, (await readBody(response)).error]).toEqual([401, "invalid_client"]);
    }
    const tokens = await readBody(await flow.exchange(code, await assert()));
    const token = tokens.refresh_token;
    expect((await flow.revoke(token)).status).toBe(401);
    expect(await isActive(tokens)).toBe(true);
    const assertion = await assert({ aud: `${flow.address}/oauth/token` });
    expect((await flow.revoke(token, assertion)).status).toBe(200);
    expect(await isActive(tokens)).toBe(false);
  });
});
