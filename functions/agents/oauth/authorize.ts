import { normalizeContact } from "../../../shared/customers/index.ts";
import { openDb } from "../../../shared/database/index.ts";
import { findRefusal, minute, Refusal } from "../../../shared/kernel/index.ts";
import { authorizePlatform } from "../../../shared/link/index.ts";
import { linkAudience, redeemCode } from "../../../shared/one-time-codes/index.ts";
import { logInWithContact } from "../../../shared/orders/index.ts";
import { createCodeContext, sendCode } from "../../http/authentication/one-time-codes.ts";
import { createContextFor } from "../../http/context.ts";
import { assertWithinLimit, callerNetwork } from "../../http/rate-limits/rate-limit.ts";
import { runtime } from "../../runtime/runtime.ts";
import { deriveSecret } from "../../runtime/secrets.ts";
import {
  type AuthorizationRequest,
  checkAuthorizationRequest,
  redirectUriWith,
} from "./authorization-request.ts";
import {
  type AuthorizeView,
  authorizePage,
  authorizeProblemPage,
  styleFor,
} from "./authorize-page.ts";
import { findClient } from "./client-document.ts";
import type { OAuthContext } from "./context.ts";
import { readForm } from "./form.ts";

/** How many documents of clients one network may cause to be fetched. */
const clientFetchesPerMinute = 30;

/** Options of `findClient` for a request. */
export const clientLookup = (c: OAuthContext): Parameters<typeof findClient>[1] => ({
  fetch: (url, init) => fetch(url, init),
  now: runtime.now,
  allowLocal: c.get("settings").allowLocalWebhooks,
  assertMayFetch: () =>
    assertWithinLimit(c, {
      name: `oauth-clients:${callerNetwork(c)}`,
      limit: clientFetchesPerMinute,
      windowMs: minute,
    }),
});

/** Shows what a platform asks for (docs/agents.md#authorize). Changes nothing. */
export const showAuthorize = (c: OAuthContext): Promise<Response> =>
  withRequest(c, async (request) => respondWithPage(c, request, {}));

/** Sends a code, allows what the platform asks for with the code, or cancels. */
export const submitAuthorize = (c: OAuthContext): Promise<Response> =>
  withRequest(c, async (request) => {
    if (c.req.header("origin") !== new URL(c.req.url).origin)
      throw new Refusal({ code: "FORBIDDEN", message: "Send this form from its own page." });
    const form = await readForm(c);
    const contact = (form.get("contact") ?? "").trim().slice(0, 254);
    switch (form.get("action")) {
      case "cancel":
        return redirect(c, request, { error: "access_denied", error_description: "Canceled." });
      case "send_code":
        return respondToContact(c, request, contact);
      case "allow":
        return allow(c, request, { contact, code: form.get("code") ?? "" });
      default:
        return respondWithPage(c, request, { contact });
    }
  });

async function withRequest(
  c: OAuthContext,
  respond: (request: AuthorizationRequest) => Promise<Response>,
): Promise<Response> {
  const shop = c.get("shop");
  const { searchParams } = new URL(c.req.url);
  const checked = await checkAuthorizationRequest(searchParams, shop, (id) =>
    findClient(id, clientLookup(c)),
  );
  switch (checked.type) {
    case "valid":
      return respond(checked.request);
    case "refused": {
      const { error, description: error_description } = checked.error;
      return redirect(c, checked, { error, error_description });
    }
    case "untrusted": {
      await setPageHeaders(c, []);
      const page = await authorizeProblemPage(shop.business, shop.shopUrl, checked.problem);
      return c.html(page, 400);
    }
  }
}

type PageProblem = Partial<Pick<AuthorizeView, "sentTo" | "contact" | "problem">> &
  Readonly<{ status?: 200 | 400 | 422 | 429 | 503 }>;

async function respondWithPage(
  c: OAuthContext,
  request: AuthorizationRequest,
  { sentTo = null, contact = "", problem = null, status = 200 }: PageProblem,
): Promise<Response> {
  const { business, shopUrl } = c.get("shop");
  const target = new URL(request.redirectUri);
  // Browsers apply the rule for forms to the redirect that follows.
  await setPageHeaders(c, [target.origin === "null" ? target.protocol : target.origin]);
  return c.html(
    await authorizePage({ business, shopUrl, request, sentTo, contact, problem }),
    status,
  );
}

/** Frames, scripts, caches and search engines get nothing of these pages, nor other sites their address. */
async function setPageHeaders(c: OAuthContext, formTargets: readonly string[]): Promise<void> {
  const style = new TextEncoder().encode(styleFor(c.get("shop").business));
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", style));
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${btoa(String.fromCharCode(...digest))}'`,
    `form-action ${["'self'", ...formTargets].join(" ")}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  c.header("Content-Security-Policy", policy.join("; "));
  c.header("X-Frame-Options", "DENY");
  // A form's request names its origin only when the policy allows the site's own.
  c.header("Referrer-Policy", "same-origin");
  c.header("X-Robots-Tag", "noindex, nofollow");
  c.header("Cache-Control", "no-store");
}

function redirect(
  c: OAuthContext,
  { redirectUri, state }: Pick<AuthorizationRequest, "redirectUri" | "state">,
  parameters: Readonly<Record<string, string>>,
): Response {
  c.header("Cache-Control", "no-store");
  c.header("Referrer-Policy", "no-referrer");
  const iss = c.get("shop").address;
  return c.redirect(redirectUriWith(redirectUri, { ...parameters, state, iss }), 303);
}

const linkCodes = (c: OAuthContext) => ({
  db: openDb(c.env.CORE, c.get("meter")),
  audience: linkAudience(c.get("shop").business.mode),
  shard: null,
});

async function respondToContact(
  c: OAuthContext,
  request: AuthorizationRequest,
  text: string,
): Promise<Response> {
  try {
    const { defaultCountry } = c.get("shop").business;
    await sendCode(c, linkCodes(c), normalizeContact({ contact: text }, defaultCountry));
    return await respondWithPage(c, request, { sentTo: text });
  } catch (error) {
    const refusal = findRefusal(error);
    if (refusal?.code === "RATE_LIMITED") {
      const problem = "No further code can be sent yet. Enter the one that you have, or wait.";
      return respondWithPage(c, request, { sentTo: text, problem, status: 429 });
    }
    if (refusal?.code === "SERVICE_UNAVAILABLE") {
      const problem = "No code can be sent there at the moment. Use another way or try later.";
      return respondWithPage(c, request, { contact: text, problem, status: 503 });
    }
    if (refusal?.code !== "VALIDATION_ERROR") throw error;
    const problem = "Enter an e-mail address, or a phone number with its country code.";
    return respondWithPage(c, request, { contact: text, problem, status: 400 });
  }
}

type TypedCode = Readonly<{ contact: string; code: string }>;

/** The code proves who allows it. So no form of another site, and no session, can do that. */
async function allow(
  c: OAuthContext,
  request: AuthorizationRequest,
  { contact: text, code }: TypedCode,
): Promise<Response> {
  const { business } = c.get("shop");
  const { client, redirectUri, scopes, codeChallenge } = request;
  const digits = code.replace(/[\s-]/g, "");
  const refuse = (problem: string, status: 400 | 422 | 429) =>
    respondWithPage(c, request, { sentTo: text, problem, status });
  if (!/^\d{6}$/.test(digits)) return refuse("Enter the 6 digits of the code.", 400);
  const contact = parseContact(text, business.defaultCountry);
  if (contact === null) return respondToContact(c, request, text);
  const codes = linkCodes(c);
  try {
    const network = callerNetwork(c);
    await redeemCode(await createCodeContext(c, codes), { contact, code: digits, network });
  } catch (error) {
    const refusal = findRefusal(error);
    if (refusal?.code === "RATE_LIMITED")
      return refuse("There were too many attempts. Wait before the next one.", 429);
    if (refusal?.code !== "UNAUTHORIZED") throw error;
    const problem = "This code is wrong, used or expired. Try again, or send another one.";
    return refuse(problem, 422);
  }
  const customer = await logInWithContact(
    createContextFor(c, { business, actor: { type: "anonymous" } }),
    { contact, loggedInId: null, sessionId: null },
  );
  const authorizationCode = await authorizePlatform(
    {
      ...runtime,
      db: codes.db,
      accountIdSecret: await deriveSecret(c.get("settings"), "link account ids"),
    },
    {
      ...{ contact, mode: business.mode, businessId: business.id, customerId: customer.id },
      ...{ clientId: client.id, clientName: client.name, scopes, redirectUri, codeChallenge },
    },
  );
  return redirect(c, request, { code: authorizationCode });
}

function parseContact(text: string, defaultCountry: string) {
  try {
    return normalizeContact({ contact: text }, defaultCountry);
  } catch (error) {
    if (findRefusal(error) === null) throw error;
    return null;
  }
}
