import {
  type Business,
  businessRepo,
  createBusinessDirectory,
  parseKeyText,
} from "../../../shared/businesses/index.ts";
import { openDb } from "../../../shared/database/index.ts";
import type { Meter, Refusal } from "../../../shared/kernel/index.ts";
import { runtime } from "../../runtime/runtime.ts";
import type { Caller, RequestContext } from "../api-env.ts";
import { forbidden, unauthorized } from "../errors.ts";

const businesses = createBusinessDirectory();

const lookupOptions = (c: RequestContext) => ({
  open: (meter: Meter) => businessRepo(openDb(c.env.CORE, meter)),
  meter: c.get("meter"),
  now: runtime.now(),
  background: (work: Promise<unknown>) => c.executionCtx.waitUntil(work),
});

/** Finds a business by its id alone, for a call without an API key; null for an unknown one. */
export const findBusiness = (c: RequestContext, id: string): Promise<Business | null> =>
  businesses.find(id, lookupOptions(c));

const unauthenticated = (refusal: Refusal): Caller => ({ type: "unauthenticated", refusal });

type CallerCredentials = Readonly<{
  keyText: string | null;
  /** The business that the request names; null for the key's own or default business. */
  businessId: string | null;
  /** Runs before an uncached key is looked up. @throws Refusal. */
  assertLookupAllowed: () => void;
}>;

/**
 * Finds the key's business (docs/contract/conventions.md#keys). A bad key is no refusal yet: the
 * route decides whether it needs one.
 */
export async function identifyCaller(
  c: RequestContext,
  { keyText, businessId, assertLookupAllowed }: CallerCredentials,
): Promise<Caller> {
  if (keyText === null) {
    return unauthenticated(unauthorized("Send a key in X-Public-Key or X-API-Key."));
  }
  const found = await businesses.findByKey(keyText, businessId, {
    ...lookupOptions(c),
    assertMayLookUp: assertLookupAllowed,
  });
  if (!found) return unauthenticated(unauthorized("The key is malformed, unknown or revoked."));
  if (!found.business) {
    return unauthenticated(forbidden("The key does not serve this business."));
  }
  const { key, business } = found;
  if (business.mode !== key.mode) {
    return unauthenticated(
      unauthorized(`A ${key.mode} key does not serve a ${business.mode} business.`),
    );
  }
  if (key.mode === "live" && isSandboxHost(new URL(c.req.url).hostname)) {
    return unauthenticated(unauthorized("A sandbox host accepts test keys only."));
  }
  return { type: "keyed", key, business };
}

/** Whether a label of the host name is `sandbox`, as in `sandbox.shop.example`. */
const isSandboxHost = (host: string): boolean => host.split(".").includes("sandbox");

/**
 * The API key of a request; null when none is sent. A publishable key may be sent in either header,
 * a secret one in X-API-Key or as a bearer token.
 */
export function readApiKey(c: RequestContext): string | null {
  const publishableKey = c.req.header("x-public-key");
  if (publishableKey !== undefined) return publishableKeyOrEmpty(publishableKey);
  const bearer = /^Bearer +((?:sk|dk)_\S+)$/i.exec(c.req.header("authorization") ?? "")?.[1];
  return c.req.header("x-api-key") ?? bearer ?? null;
}

/**
 * Returns a publishable key unchanged. Any other text becomes "", which no key equals: the call is
 * unauthenticated as with an unknown key, and no other header is read in its place.
 */
export const publishableKeyOrEmpty = (keyText: string): string =>
  parseKeyText(keyText)?.kind === "publishable" ? keyText : "";
