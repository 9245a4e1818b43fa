import type { Context } from "hono";
import {
  base64Digest,
  createProfileCache,
  negotiateCapabilities,
  type Platform,
  type PlatformProfile,
  type ProfileProblem,
  parseRelease,
  type Release,
  releases,
  type Verification,
  verifyMessage,
} from "../../shared/agents/index.ts";
import { minute, sha256 } from "../../shared/kernel/index.ts";
import { targetUrlProblem } from "../../shared/webhooks/index.ts";
import { createLocalCounter } from "../http/rate-limits/local-counter.ts";
import { assertWithinLimit, callerNetwork } from "../http/rate-limits/rate-limit.ts";
import { runtime } from "../runtime/runtime.ts";
import type { AgentCall, AgentContext, AgentEnv, AgentShop } from "./agent-call.ts";
import { readProfileUrl } from "./agent-header.ts";
import { requireLinkedBuyer } from "./oauth/linked-buyer.ts";
import { calledUrl } from "./prepare-request.ts";
import { ProtocolError } from "./protocol-error.ts";

const profiles = createProfileCache();
const countFetch = createLocalCounter();

/** How many profiles an isolate fetches in a minute for one client network. */
const fetchesPerMinute = 60;
/** How many calls a platform may make to one business in a minute. */
const callsPerMinute = 1_000;

type CallRequest = Readonly<{
  /** The body as it arrived; empty when there is none. */
  body: Uint8Array<ArrayBuffer>;
  /** The URL of the platform's profile; null when the request names none. */
  profileUrl: string | null;
  idempotencyKey: string | null;
}>;

/**
 * Identifies the platform of a call, verifies its signature and agrees on a release and on
 * capabilities (docs/agents.md#negotiation).
 *
 * @throws ProtocolError that says what is wrong with the platform, its profile or its signature.
 */
export async function openAgentCall(
  c: Context<AgentEnv>,
  { body, profileUrl, idempotencyKey }: CallRequest,
): Promise<AgentCall> {
  const shop = c.get("shop");
  assertIdempotencyKey(idempotencyKey);
  const options = fetchOptions(c);
  const found = await profiles.find(profileUrl, options);
  if (found.type === "problem") throw profileError(found, shop);
  const { url } = found;
  let { profile } = found;
  const release = requireRelease(profile, shop);
  let verification = await verifySignature(c, { shop, body, profile });
  if (verification.type === "refused" && verification.code === "key_not_found") {
    // The platform may have rotated its keys since the profile was cached.
    const newest = await profiles.refresh(url, options);
    if (newest.type === "found" && newest.profile !== profile) {
      ({ profile } = newest);
      verification = await verifySignature(c, { shop, body, profile });
    }
  }
  if (verification.type === "refused")
    throw new ProtocolError(verification.code, verification.content);
  const isSigned = verification.type === "verified";
  await assertWithinLimit(c, await platformLimit(c, { shop, url, isSigned }));
  const platform = toPlatform(profile, { url, release, allowLocal: options.allowLocal });
  return {
    ...shop,
    release,
    platform,
    isSigned,
    capabilities: negotiateCapabilities(platform.capabilities, release),
    buyer: await requireLinkedBuyer(c, shop, platform),
    idempotencyKey,
    bodyDigest: await base64Digest(body),
    requestId: c.get("requestId"),
    meter: c.get("meter"),
    settings: c.get("settings"),
    http: c,
  };
}

/** Opens a call whose platform and Idempotency-Key are named in headers, with its body. */
export async function openHttpCall(
  c: Context<AgentEnv>,
): Promise<Readonly<{ call: AgentCall; body: Uint8Array<ArrayBuffer> }>> {
  const body = new Uint8Array(await c.req.raw.clone().arrayBuffer());
  const call = await openAgentCall(c, {
    body,
    profileUrl: readProfileUrl(c.req.header("ucp-agent")),
    idempotencyKey: c.req.header("idempotency-key") ?? null,
  });
  return { call, body };
}

const fetchOptions = (c: AgentContext) => {
  const limit = { limit: fetchesPerMinute, windowMs: minute };
  return {
    fetch: (url: string, init: RequestInit) => fetch(url, init),
    now: runtime.now,
    allowLocal: c.get("settings").allowLocalWebhooks,
    mayFetch: () =>
      !countFetch({ name: `profiles:${callerNetwork(c)}`, ...limit }, runtime.now()).isExceeded,
  };
};

function profileError({ code, content }: ProfileProblem, { shopUrl }: AgentShop): ProtocolError {
  const retryAfterSeconds = code === "rate_limited" ? minute / 1_000 : null;
  return new ProtocolError(code, content, { continueUrl: shopUrl, retryAfterSeconds });
}

function requireRelease({ version }: PlatformProfile, { shopUrl }: AgentShop): Release {
  const release = parseRelease(version);
  if (release) return release;
  throw new ProtocolError(
    "version_unsupported",
    `Protocol version ${version} is not supported. This business supports versions ${releases.toReversed().join(" and ")}.`,
    { continueUrl: shopUrl },
  );
}

const verifySignature = (
  c: AgentContext,
  {
    shop,
    body,
    profile,
  }: Readonly<{ shop: AgentShop; body: CallRequest["body"]; profile: PlatformProfile }>,
): Promise<Verification> =>
  verifyMessage(
    {
      type: "request",
      method: c.req.method,
      url: calledUrl(c, shop),
      headers: c.req.raw.headers,
      body,
    },
    { keys: profile.keys, now: runtime.now() },
  );

function assertIdempotencyKey(key: string | null): void {
  if (key === null || /^[\x21-\x7e]{1,255}$/.test(key)) return;
  throw new ProtocolError(
    "invalid_request",
    "Idempotency-Key must be 1 to 255 visible ASCII characters.",
  );
}

/**
 * The limit of a platform. Without a signature it is one for each of its networks, because anybody
 * can name its profile.
 */
async function platformLimit(
  c: AgentContext,
  { shop, url, isSigned }: Readonly<{ shop: AgentShop; url: string; isSigned: boolean }>,
) {
  const caller = isSigned ? url : `${url} ${callerNetwork(c)}`;
  return {
    name: `platform:${shop.business.id}:${await sha256(caller)}`,
    limit: shop.business.settings.rateLimits.publicPerMinute ?? callsPerMinute,
    windowMs: minute,
  };
}

function toPlatform(
  profile: PlatformProfile,
  { url, release, allowLocal }: Readonly<{ url: string; release: Release; allowLocal: boolean }>,
): Platform {
  const webhookUrl = profile.orderWebhookUrls.get(release) ?? null;
  const isAllowed = webhookUrl !== null && targetUrlProblem(webhookUrl, { allowLocal }) === null;
  return {
    profileUrl: url,
    release,
    capabilities: profile.capabilities,
    orderWebhookUrl: isAllowed ? webhookUrl : null,
    paymentHandlers: profile.paymentHandlers,
    keys: profile.keys,
  };
}
