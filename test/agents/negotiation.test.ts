import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createAgentApp } from "../../functions/agents/agents-app.ts";
import type { AgentsBindings } from "../../functions/agents/env.ts";
import { openHttpCall } from "../../functions/agents/open-call.ts";
import { runAgentOperation } from "../../functions/agents/operations/run-operation.ts";
import {
  capabilityNames,
  negotiateCapabilities,
  newestRelease,
  releases,
} from "../../shared/agents/index.ts";
import { minute } from "../../shared/kernel/index.ts";
import { createBusiness } from "../support/world.ts";
import {
  createPlatform,
  createSigningKey,
  hostProfile,
  hostProfiles,
  profileOf,
  signRequest,
} from "./platform.ts";
import { assertValid } from "./validator.ts";

hostProfiles();

const origin = "https://duka.example";

/** An app with one route, which responds with what it knows of the call. */
const app = createAgentApp();
app.all("/agents/:slug/call", async (c) => {
  const { call } = await openHttpCall(c);
  const { release, platform, isSigned, capabilities, address, bodyDigest } = call;
  const { profileUrl, orderWebhookUrl } = platform;
  const names = [...capabilities.keys()];
  return c.json({
    ...{ release, profileUrl, orderWebhookUrl, isSigned, names, address, bodyDigest },
    idempotencyKey: call.idempotencyKey,
  });
});
app.post("/agents/:slug/checkout", async (c) => {
  const { call } = await openHttpCall(c);
  const operation = {
    capability: "dev.ucp.shopping.checkout" as const,
    isWrite: false,
    load: async () => async () => ({ status: 200 as const, body: { ran: true } }),
  };
  const { status, body } = await runAgentOperation(operation, call, { id: null, body: {} });
  return c.json(body, status);
});

type ProbeRequest = Readonly<{
  method?: string;
  path?: string;
  body?: string;
  headers?: Readonly<Record<string, string>>;
}>;

async function send(
  slug: string,
  { method = "POST", path = "call", body = "", headers = {} }: ProbeRequest = {},
) {
  const request = new Request(`${origin}/agents/${slug}/${path}`, {
    method,
    headers: { ...(body !== "" && { "Content-Type": "application/json" }), ...headers },
    ...(body !== "" && { body }),
  });
  // Safe: the tests' bindings have what a call needs; no test reaches another Worker.
  const bindings = env as unknown as AgentsBindings;
  const response = await app.fetch(request, bindings, createExecutionContext());
  return {
    status: response.status,
    headers: response.headers,
    body: Object(await response.json()),
  };
}

const createSlug = async () => (await createBusiness()).business.slug;

const agentHeader = (url: string) => ({ "UCP-Agent": `profile="${url}"` });

describe("the platform of a call", () => {
  it.each(releases)("speaks %s, as its profile says", async (release) => {
    const slug = await createSlug();
    const orderWebhookUrl = "https://agent.example/orders";
    const platform = await createPlatform({ release, orderWebhookUrl });
    await assertValid(release, "platform_profile", platform.profile);
    const { status, body } = await send(slug, { headers: platform.headers });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      release,
      profileUrl: platform.profileUrl,
      orderWebhookUrl,
      isSigned: false,
      names: [...capabilityNames],
      address: `${origin}/agents/${slug}`,
    });
  });

  it.each([
    ["no header", {}],
    ["a header that is no dictionary", { "UCP-Agent": "((" }],
    ["a header without a profile", { "UCP-Agent": "name=1" }],
    ["a profile that is no text", { "UCP-Agent": "profile=?1" }],
    ["a profile without TLS", agentHeader("http://agent.example/profile.json")],
    ["a profile on a private address", agentHeader("https://10.0.0.1/profile.json")],
    ["a profile on an address of the cloud", agentHeader("https://169.254.169.254/latest")],
    ["a profile on a private name", agentHeader("https://profile.internal/profile.json")],
    ["a profile with credentials", agentHeader("https://a:b@agent.example/profile.json")],
  ])("is refused with %s", async (_, headers) => {
    const { status, body } = await send(await createSlug(), { headers });
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: "invalid_profile_url" });
  });

  it.each([
    ["another status", () => new Response("", { status: 404 }), 424, "profile_unreachable"],
    [
      "a redirect",
      () => new Response(null, { status: 302, headers: { Location: "https://other.example" } }),
      424,
      "profile_unreachable",
    ],
    ["no answer", () => Promise.reject(new TypeError("refused")), 424, "profile_unreachable"],
    ["no JSON", () => new Response("<html>"), 422, "profile_malformed"],
    ["a list", () => Response.json([]), 422, "profile_malformed"],
    ["no version", () => Response.json({ ucp: {} }), 422, "profile_malformed"],
    [
      "a private key",
      () => Response.json({ ...profileOf([]), keys: [{ kid: "a", kty: "EC", d: "x" }] }),
      422,
      "profile_malformed",
    ],
    [
      "more than 64 KiB",
      () => Response.json({ ...profileOf([]), padding: "x".repeat(70_000) }),
      422,
      "profile_malformed",
    ],
  ])("is refused when its profile is %s", async (_, host, expected, code) => {
    const slug = await createSlug();
    const { status, body } = await send(slug, { headers: agentHeader(hostProfile(host)) });
    expect(status).toBe(expected);
    expect(body).toMatchObject({ code, continue_url: `${origin}/shop/${slug}` });
  });

  it("is refused when it speaks another release", async () => {
    const profile = profileOf([]);
    const url = hostProfile(() =>
      Response.json({ ...profile, ucp: { ...profile.ucp, version: "2026-01-11" } }),
    );
    const { status, body } = await send(await createSlug(), { headers: agentHeader(url) });
    expect(status).toBe(422);
    expect(body).toMatchObject({
      code: "version_unsupported",
      content:
        "Protocol version 2026-01-11 is not supported. This business supports versions 2026-04-08 and 2026-08-25.",
    });
  });

  it("keeps keys and capabilities that are not known", async () => {
    const { publicKey } = await createSigningKey("a");
    const profile = profileOf([{ ...publicKey, kty: "FUTURE" }], {
      capabilities: [...capabilityNames, "com.example.loyalty"],
    });
    const url = hostProfile(() => Response.json(profile));
    const { status, body } = await send(await createSlug(), { headers: agentHeader(url) });
    expect(status).toBe(200);
    expect(body.names).toEqual([...capabilityNames]);
  });

  it("has no order webhook at a private address", async () => {
    const platform = await createPlatform({ orderWebhookUrl: "https://192.168.0.1/orders" });
    const { body } = await send(await createSlug(), { headers: platform.headers });
    expect(body.orderWebhookUrl).toBeNull();
  });
});

describe("the cache of profiles", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
  afterEach(() => void vi.useRealTimers());

  it("fetches a profile again after the age that its server names, between a minute and an hour", async () => {
    const slug = await createSlug();
    const ages = [
      ["no-store", 60],
      ["public, max-age=5", 60],
      ["public, max-age=600", 600],
      ["public, max-age=99999", 3600],
    ] as const;
    for (const [cacheControl, seconds] of ages) {
      const host = vi.fn(() =>
        Response.json(profileOf([]), { headers: { "Cache-Control": cacheControl } }),
      );
      const headers = agentHeader(hostProfile(host));
      const start = Date.now();
      await send(slug, { headers });
      vi.setSystemTime(start + seconds * 1_000 - 500);
      await send(slug, { headers });
      expect([cacheControl, host.mock.calls.length]).toEqual([cacheControl, 1]);
      vi.setSystemTime(start + seconds * 1_000 + 500);
      await send(slug, { headers });
      expect([cacheControl, host.mock.calls.length]).toEqual([cacheControl, 2]);
    }
  });

  it("does not ask a server again at once that did not answer", async () => {
    const slug = await createSlug();
    const host = vi.fn(() => new Response("", { status: 500 }));
    const headers = agentHeader(hostProfile(host));
    for (let call = 0; call < 3; call += 1)
      expect((await send(slug, { headers })).status).toBe(424);
    expect(host).toHaveBeenCalledTimes(1);
  });

  it("reads a profile again, once, for a key that it does not have yet", async () => {
    const slug = await createSlug();
    const [first, second] = [await createSigningKey("first"), await createSigningKey("second")];
    let keys = [first.publicKey];
    const host = vi.fn(() => Response.json(profileOf(keys)));
    const profile = agentHeader(hostProfile(host));
    const url = `${origin}/agents/${slug}/call`;
    const signed = (key: typeof first.key) =>
      signRequest(key, { method: "GET", url, headers: profile });
    expect((await send(slug, { method: "GET", headers: await signed(first.key) })).status).toBe(
      200,
    );
    keys = [second.publicKey];
    const early = await send(slug, { method: "GET", headers: await signed(second.key) });
    expect(early).toMatchObject({ status: 401, body: { code: "key_not_found" } });
    expect(host).toHaveBeenCalledTimes(1);
    vi.setSystemTime(Date.now() + minute - 1_000);
    expect((await send(slug, { method: "GET", headers: profile })).status).toBe(200);
    vi.setSystemTime(Date.now() + 1_500);
    const later = await send(slug, { method: "GET", headers: await signed(second.key) });
    expect(later.status).toBe(200);
    expect(host).toHaveBeenCalledTimes(2);
  });

  it("lets one address cause 60 fetches in a minute", async () => {
    const slug = await createSlug();
    vi.setSystemTime(Math.ceil(Date.now() / minute + 2) * minute);
    const address = { "CF-Connecting-IP": "198.51.100.77" };
    const call = () =>
      send(slug, {
        headers: { ...agentHeader(hostProfile(() => Response.json(profileOf([])))), ...address },
      });
    for (let count = 0; count < 60; count += 1) expect((await call()).status).toBe(200);
    const refused = await call();
    expect(refused).toMatchObject({ status: 429, body: { code: "rate_limited" } });
    expect(refused.headers.get("Retry-After")).toBe("60");
  });
});

describe("the signature of a call", () => {
  it("is verified with a key of the platform's profile", async () => {
    const slug = await createSlug();
    const platform = await createPlatform();
    const request = {
      method: "POST",
      url: `${origin}/agents/${slug}/call?a=1`,
      body: '{"a":1}',
      headers: { "Idempotency-Key": crypto.randomUUID() },
    };
    const headers = await platform.sign(request);
    const { status, body } = await send(slug, { path: "call?a=1", body: request.body, headers });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      isSigned: true,
      idempotencyKey: request.headers["Idempotency-Key"],
    });
    const other = await send(slug, { path: "call?a=1", body: '{"a":2}', headers });
    expect(other).toMatchObject({ status: 400, body: { code: "digest_mismatch" } });
    expect(body.bodyDigest).toBe(headers["Content-Digest"]?.slice("sha-256=:".length, -1));
  });

  it("covers the address that the platform called, on the business's own domain too", async () => {
    const slug = await createSlug();
    const platform = await createPlatform();
    const headers = await platform.sign({ method: "GET", url: `${origin}/call` });
    const onDomain = { ...headers, "X-Shop-Domain": slug };
    expect((await send(slug, { method: "GET", headers: onDomain })).body.isSigned).toBe(true);
    expect(await send(slug, { method: "GET", headers })).toMatchObject({
      status: 401,
      body: { code: "signature_invalid" },
    });
  });

  it("does not authenticate another platform", async () => {
    const slug = await createSlug();
    const [platform, other] = [await createPlatform(), await createPlatform()];
    const url = `${origin}/agents/${slug}/call`;
    const headers = await other.sign({ method: "GET", url, headers: platform.headers });
    const { status, body } = await send(slug, { method: "GET", headers });
    expect([status, body.code]).toEqual([401, "signature_invalid"]);
  });
});

describe("the Idempotency-Key of a call", () => {
  it.each(["", "a b", "x".repeat(256)])("is refused as %j", async (key) => {
    const platform = await createPlatform();
    const headers = { ...platform.headers, "Idempotency-Key": key };
    const { status, body } = await send(await createSlug(), { headers });
    expect([status, body.code]).toEqual([400, "invalid_request"]);
  });
});

describe("capabilities", () => {
  it("are those that both sides have in the release", async () => {
    const slug = await createSlug();
    const capabilities = ["dev.ucp.shopping.cart", "dev.ucp.shopping.discount"];
    const platform = await createPlatform({ capabilities });
    const { body } = await send(slug, { headers: platform.headers });
    expect(body.names).toEqual(capabilities);
  });

  it("leave out extensions whose parents are missing, and other versions", () => {
    const declared = new Map([
      ["dev.ucp.shopping.checkout", ["2025-01-01"]],
      ["dev.ucp.shopping.fulfillment", [newestRelease]],
      ["dev.ucp.shopping.discount", [newestRelease]],
      ["dev.ucp.shopping.order", ["2025-01-01", newestRelease]],
    ]);
    expect([...negotiateCapabilities(declared, newestRelease).keys()]).toEqual([
      "dev.ucp.shopping.order",
    ]);
  });

  it.each(releases)(
    "are answered with an error body of %s when one is missing",
    async (release) => {
      const slug = await createSlug();
      const platform = await createPlatform({ release, capabilities: ["dev.ucp.shopping.cart"] });
      const { status, body } = await send(slug, { path: "checkout", headers: platform.headers });
      expect(status).toBe(200);
      expect(body.messages[0]).toMatchObject({ code: "capabilities_incompatible" });
      await assertValid(release, "error_response", body);
      const able = await createPlatform({ release });
      const answer = await send(slug, { path: "checkout", headers: able.headers });
      expect(answer.body).toEqual({ ran: true });
    },
  );
});
