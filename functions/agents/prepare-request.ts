import type { MiddlewareHandler } from "hono";
import { type Business, isSelling } from "../../shared/businesses/index.ts";
import { createMeter } from "../../shared/database/index.ts";
import { minute, second } from "../../shared/kernel/index.ts";
import { findBusinessBySlug } from "../http/authentication/access.ts";
import { hostedKeyRecord } from "../http/authentication/hosted-key.ts";
import type { ApiEnv } from "../http/context.ts";
import { unauthorized } from "../http/errors.ts";
import { readRequestId, writeResponseHeaders } from "../http/headers.ts";
import { assertWithinLimit, callerNetwork } from "../http/rate-limits/rate-limit.ts";
import { reportRequest } from "../http/request-log.ts";
import { runtime } from "../runtime/runtime.ts";
import { settingsOf } from "../runtime/settings.ts";
import type { AgentContext, AgentEnv, AgentShop } from "./agent-call.ts";
import { ProtocolError } from "./protocol-error.ts";

/** Set by the front alone, for a call of a business's own domain. */
const shopDomainHeader = "x-shop-domain";

/** How long an agent waits before it tries a suspended business again. */
const suspendedRetryMs = minute;

/** Prepares a call below a business's address: settings, limits and the business. */
export const prepareAgentRequest: MiddlewareHandler<ApiEnv> = async function prepareAgentRequest(
  c,
  next,
) {
  const startedAt = runtime.now();
  const settings = settingsOf(c.env);
  c.set("requestId", readRequestId(c.req.raw));
  c.set("meter", createMeter());
  c.set("settings", settings);
  c.set("caller", { type: "unauthenticated", refusal: unauthorized("This call takes no key.") });
  c.set("batchGuard", null);
  c.set("idempotencyMark", null);
  c.set("rate", null);
  c.set("isOperator", false);
  c.set("linkSession", null);
  c.set("consoleSession", null);
  c.set("addressPerSecond", settings.requestsPerSecondPerAddress);
  c.set("unknownInput", "ignored");
  c.set("warning", null);
  await next();
  writeResponseHeaders(c);
  await reportRequest(c, runtime.now() - startedAt);
};

/** Finds the business of a call and counts the call against the limit of the client's address. */
export const requireShop: MiddlewareHandler<AgentEnv> = async function requireShop(c, next) {
  await assertWithinLimit(c, {
    name: `address:${callerNetwork(c)}`,
    limit: c.get("settings").requestsPerSecondPerAddress,
    windowMs: second,
  });
  const business = await findBusinessBySlug(c, c.req.param("slug") ?? "");
  if (!business || business.status.type === "closed")
    throw new ProtocolError("not_found", "There is no business at this address.");
  // An agent is a client of the hosted shop, which everybody may use.
  c.set("caller", { type: "keyed", key: hostedKeyRecord("", business), business });
  const shop = createShop(c, business);
  if (!isSelling(business))
    throw new ProtocolError("service_unavailable", "This business takes no orders at the moment.", {
      continueUrl: shop.shopUrl,
      retryAfterSeconds: suspendedRetryMs / second,
    });
  c.set("shop", shop);
  return next();
};

function createShop(c: AgentContext, business: Business): AgentShop {
  const { origin } = new URL(c.req.url);
  const { slug } = business;
  return c.req.header(shopDomainHeader) === slug
    ? { business, address: origin, shopUrl: origin }
    : { business, address: `${origin}/agents/${slug}`, shopUrl: `${origin}/shop/${slug}` };
}

/** The address that the caller used, which on the business's own domain has no prefix. */
export function calledUrl(c: AgentContext, { address, business }: AgentShop): string {
  const { pathname, search } = new URL(c.req.url);
  return address + pathname.slice(`/agents/${business.slug}`.length) + search;
}
