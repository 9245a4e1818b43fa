import type { MiddlewareHandler } from "hono";
import {
  type Business,
  businessRepo,
  createBusinessDirectory,
  hasScope,
  type KeyScope,
  parseKeyText,
} from "../../../shared/businesses/index.ts";
import { openDb } from "../../../shared/database/index.ts";
import {
  digestsEqual,
  type Meter,
  notFound,
  type Refusal,
  sha256,
} from "../../../shared/kernel/index.ts";
import { runtime } from "../../runtime/runtime.ts";
import type { ApiEnv, Caller, RequestContext } from "../context.ts";
import { forbidden, unauthorized } from "../errors.ts";
import type { SelectResponseStore } from "../idempotency/response-store.ts";

/** The credential that a route requires. */
export type Access =
  | Readonly<{ kind: "publishable" }>
  | Readonly<{ kind: "secret"; scope: KeyScope }>
  | Readonly<{ kind: "deploy" }>
  | Readonly<{ kind: "operator" }>
  | CustomAccess;

/** A credential that only one Worker knows and checks itself. */
export type CustomAccess = Readonly<{
  kind: "custom";
  /** OpenAPI security requirements: each entry is one sufficient combination. */
  security: readonly Readonly<Record<string, string[]>>[];
  check: MiddlewareHandler<ApiEnv>;
  /** Where responses of writes are stored for a repeat; null where they are not stored. */
  responseStore: SelectResponseStore | null;
}>;

export const publishableKey: Access = { kind: "publishable" };
export const deployKey: Access = { kind: "deploy" };
export const operator: Access = { kind: "operator" };
export const secretKey = (scope: KeyScope): Access => ({ kind: "secret", scope });

/** Middleware that refuses a request without the credential that the route requires. */
export function assertAccess(access: Access): MiddlewareHandler<ApiEnv> {
  return async function assertRouteAccess(c, next) {
    const caller = c.get("caller");
    switch (access.kind) {
      case "custom":
        return access.check(c, next);
      case "operator":
        await assertOperatorToken(c.get("settings").operatorToken, c.req.header("authorization"));
        return next();
      case "publishable":
      case "deploy":
      case "secret":
        if (caller.type === "unauthenticated") throw caller.refusal;
        if (caller.key.kind !== access.kind) {
          throw unauthorized(`This call takes a ${access.kind} key, not a ${caller.key.kind} one.`);
        }
        if (access.kind === "secret" && !hasScope(caller.key.scopes, access.scope)) {
          throw forbidden(`The key lacks the scope ${access.scope}.`);
        }
        if (access.kind === "publishable")
          assertOriginAllowed(caller.business, c.req.header("origin"));
        return next();
    }
  };
}

function assertOriginAllowed(business: OriginPolicy, origin: string | undefined): void {
  if (origin === undefined || isAllowedOrigin(business, origin)) return;
  throw forbidden(`The origin ${origin} is not among the business's allowed_origins.`);
}

type OriginPolicy = Readonly<{
  mode: "live" | "test";
  settings: Readonly<{ allowedOrigins: readonly string[] }>;
}>;

/**
 * Whether pages of the origin may use a publishable key. In test mode an empty list allows every
 * origin.
 */
export function isAllowedOrigin({ mode, settings }: OriginPolicy, origin: string): boolean {
  const { allowedOrigins } = settings;
  return allowedOrigins.includes(origin) || (allowedOrigins.length === 0 && mode === "test");
}

/** Without an OPERATOR_TOKEN the deployment has no operator calls, so they are 404. */
async function assertOperatorToken(
  token: string | undefined,
  header: string | undefined,
): Promise<void> {
  if (!token) throw notFound("call");
  const given = /^Bearer +(.+)$/i.exec(header ?? "")?.[1] ?? "";
  const [expected, actual] = await Promise.all([sha256(token), sha256(given)]);
  if (!digestsEqual(expected, actual)) throw unauthorized("This call takes the operator's token.");
}

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
 * As `readApiKey`. On the path of a WebSocket, for which a browser cannot set headers, a publishable
 * key may be in the query (docs/contract/storefront.md#support-socket).
 */
export const createSocketKeyReader =
  (socketPath: string) =>
  (c: RequestContext): string | null => {
    const inHeader = readApiKey(c);
    if (inHeader !== null || !c.req.path.endsWith(socketPath)) return inHeader;
    const inQuery = c.req.query("public_key");
    return inQuery === undefined ? null : publishableKeyOrEmpty(inQuery);
  };

/**
 * Returns a publishable key unchanged. Any other text becomes "", which no key equals: the call is
 * unauthenticated as with an unknown key, and no other header is read in its place.
 */
export const publishableKeyOrEmpty = (keyText: string): string =>
  parseKeyText(keyText)?.kind === "publishable" ? keyText : "";
