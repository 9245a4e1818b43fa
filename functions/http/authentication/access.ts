import type { Context, MiddlewareHandler } from "hono";
import {
  type AuthenticatedKey,
  assertWritable,
  type Business,
  createBusinessDirectory,
  type HostOwner,
  hasScope,
  type KeyKind,
  type KeyScope,
  parseKeyText,
  shopperRefusal,
} from "../../../shared/businesses/index.ts";
import { type Meter, openDb } from "../../../shared/database/index.ts";
import {
  digestsEqual,
  type Mode,
  notFound,
  type Refusal,
  sha256,
} from "../../../shared/kernel/index.ts";
import { runtime } from "../../runtime/runtime.ts";
import { type ApiEnv, type RequestContext, requireCaller } from "../context.ts";
import { forbidden, unauthorized } from "../errors.ts";
import type { SelectResponseStore } from "../idempotency/response-store.ts";
import type { Caller, IdentifiedCaller } from "./caller.ts";
import { assertOwnOrigin, readConsoleToken } from "./console-cookie.ts";
import { hostedKeyRecord, isHostedKey, parseHostedKey } from "./hosted-key.ts";

/** The credential that a route requires. */
export type Access =
  | Readonly<{ kind: "publishable" }>
  | Readonly<{
      kind: "secret";
      scope: KeyScope;
      /** Whether every member may make the call, in any role. */
      isForEveryMember?: boolean;
    }>
  | Readonly<{ kind: "deploy" }>
  | Readonly<{
      kind: "operator";
      /** Whether the login of an operator is not enough. */
      needsToken?: boolean;
    }>
  /** A call of the business API that the operator may make too. */
  | Readonly<{ kind: "secretOrOperator"; scope: KeyScope }>
  | CustomAccess;

/** A credential that only one Worker accepts, with the middleware that checks it. */
export type CustomAccess = Readonly<{
  kind: "custom";
  /** OpenAPI security requirements. Each entry alone is sufficient. */
  security: readonly Readonly<Record<string, string[]>>[];
  check: MiddlewareHandler<ApiEnv>;
  /**
   * Where the responses of writes are stored for repeated requests. Null when they are not stored.
   */
  responseStore: SelectResponseStore | null;
}>;

export const publishableKey: Access = { kind: "publishable" };
export const deployKey: Access = { kind: "deploy" };
export const operator: Access = { kind: "operator" };
/** A call of the operator's token alone. */
export const operatorToken: Access = { kind: "operator", needsToken: true };
export const secretKey = (scope: KeyScope): Access => ({ kind: "secret", scope });
/** A call of a key with the scope, or of any member of the business. */
export const secretKeyOrAnyMember = (scope: KeyScope): Access => ({
  kind: "secret",
  scope,
  isForEveryMember: true,
});
export const secretKeyOrOperator = (scope: KeyScope): Access => ({
  kind: "secretOrOperator",
  scope,
});

/** Middleware that refuses a request without the credential that the route requires. */
export function assertAccess(access: Access): MiddlewareHandler<ApiEnv> {
  return async function assertRouteAccess(c, next) {
    switch (access.kind) {
      case "custom":
        return access.check(c, next);
      case "operator":
        await assertOperator(c, access);
        return next();
      case "secretOrOperator":
        if (isOperatorCall(c)) await assertOperator(c, { needsToken: true });
        else assertKey(c, { kind: "secret", scope: access.scope });
        return next();
      case "publishable":
      case "deploy":
      case "secret":
        assertKey(c, access);
        return next();
    }
  };
}

type KeyAccess = Extract<Access, { kind: KeyKind }>;

/** The scope with which a member makes the calls of a deploy key. */
export const assetScope = "catalogue:write" satisfies KeyScope;

function assertKey(c: RequestContext, access: KeyAccess): void {
  const caller = requireCaller(c);
  if (caller.type === "member") {
    assertMember(c, caller, access);
    return;
  }
  if (caller.key.kind !== access.kind) {
    throw unauthorized(`This call takes a ${access.kind} key, not a ${caller.key.kind} one.`);
  }
  if (access.kind === "secret" && !hasScope(caller.key.scopes, access.scope)) {
    throw forbidden(`The key lacks the scope ${access.scope}.`);
  }
  if (access.kind === "publishable") assertOriginAllowed(c, caller);
  else if (!isReadAccess(access, c.req.method)) assertWritable(caller.business);
}

function assertMember(
  c: RequestContext,
  { role, scopes, business }: Extract<IdentifiedCaller, { type: "member" }>,
  access: KeyAccess,
): void {
  if (access.kind === "publishable") throw unauthorized("This call takes a publishable key.");
  const isWrite = !isReadAccess(access, c.req.method);
  if (isWrite || c.req.method !== "GET") assertOwnOrigin(c);
  const scope = access.kind === "deploy" ? assetScope : access.scope;
  const isForEveryMember = access.kind === "secret" && access.isForEveryMember === true;
  if (!isForEveryMember && !hasScope(scopes, scope))
    throw forbidden(`The role ${role} lacks the scope ${scope}.`);
  if (isWrite) assertWritable(business);
}

/** The agent's socket is opened with GET and needs a write scope. */
const isReadAccess = (access: KeyAccess, method: string): boolean =>
  access.kind === "secret" && access.scope !== "*"
    ? access.scope.endsWith(":read")
    : ["GET", "HEAD"].includes(method);

/**
 * Whether a call that also takes a key carries a bearer token that is none, in a deployment with an
 * operator.
 */
const isOperatorCall = (c: RequestContext): boolean =>
  c.get("settings").operatorToken !== undefined &&
  readApiKey(c) === null &&
  c.req.header("authorization") !== undefined;

let consoleLogin: typeof import("./console-login.ts") | undefined;

/** Loads the code of the console's login with the first cookie. */
async function loadConsoleLogin() {
  consoleLogin ??= await import("./console-login.ts");
  return consoleLogin;
}

async function assertOperator(
  c: Context<ApiEnv>,
  { needsToken = false }: Readonly<{ needsToken?: boolean }>,
): Promise<void> {
  const { operatorToken } = c.get("settings");
  if (!needsToken && operatorToken !== undefined && hasConsoleCookie(c)) {
    const { assertOperatorLogin } = await loadConsoleLogin();
    await assertOperatorLogin(c);
  } else await assertOperatorToken(operatorToken, c.req.header("authorization"));
  c.set("isOperator", true);
}

/** Whether the call has the console's cookie and no other credential, of which the cookie is none. */
const hasConsoleCookie = (c: RequestContext): boolean =>
  readApiKey(c) === null &&
  c.req.header("authorization") === undefined &&
  readConsoleToken(c) !== null;

/** A page of the host itself may use the key of its hosted shop, on the business's domain too. */
function assertOriginAllowed(
  c: RequestContext,
  { key, business }: Extract<IdentifiedCaller, { type: "keyed" }>,
): void {
  const origin = c.req.header("origin");
  if (origin === undefined || isAllowedOrigin(business, origin)) return;
  if (isHostedKey(key) && URL.parse(origin)?.host === new URL(c.req.url).host) return;
  throw forbidden(`The origin ${origin} is not among the business's allowed_origins.`);
}

type OriginPolicy = Readonly<{
  mode: "live" | "test";
  settings: Readonly<{ allowedOrigins: readonly string[] }>;
}>;

/**
 * Whether pages of this origin may use a publishable key. A business in test mode that lists no
 * origins allows all of them.
 */
export function isAllowedOrigin({ mode, settings }: OriginPolicy, origin: string): boolean {
  const { allowedOrigins } = settings;
  return allowedOrigins.includes(origin) || (allowedOrigins.length === 0 && mode === "test");
}

/**
 * Responds with 404 when the deployment has no OPERATOR_TOKEN, because then these calls do not
 * exist.
 */
async function assertOperatorToken(
  token: string | undefined,
  header: string | undefined,
): Promise<void> {
  if (!token) throw notFound("call");
  const sent = /^Bearer +(.+)$/i.exec(header ?? "")?.[1] ?? "";
  const [expected, actual] = await Promise.all([sha256(token), sha256(sent)]);
  if (!digestsEqual(expected, actual)) throw unauthorized("This call takes the operator's token.");
}

const businesses = createBusinessDirectory();

const lookupOptions = (c: RequestContext) => ({
  open: (meter: Meter) => openDb(c.env.CORE, meter),
  meter: c.get("meter"),
  now: runtime.now(),
  background: (work: Promise<unknown>) => c.executionCtx.waitUntil(work),
});

/** Finds a business by its id, for calls without an API key. Null when the id is unknown. */
export const findBusiness = (c: RequestContext, id: string): Promise<Business | null> =>
  businesses.find(id, lookupOptions(c));

/** As `findBusiness`, by the slug of its shop. */
export const findBusinessBySlug = (c: RequestContext, slug: string): Promise<Business | null> =>
  businesses.findBySlug(slug, lookupOptions(c));

/** What a hostname leads to. An isolate keeps the answer for a few seconds. */
export const findHostOwner = (c: RequestContext, hostname: string): Promise<HostOwner | null> =>
  businesses.findHostOwner(hostname, lookupOptions(c));

/** The business of the hosted key; null when it does not serve the business that is named. */
async function findHosted(
  c: RequestContext,
  { keyText, hostedId, businessId }: HostedCredentials,
): Promise<AuthenticatedKey | null> {
  const business = await findBusiness(c, hostedId);
  if (business === null) return null;
  const isServed = businessId === null || businessId === hostedId;
  return { key: hostedKeyRecord(keyText, business), business: isServed ? business : null };
}

type HostedCredentials = Pick<CallerCredentials, "businessId"> &
  Readonly<{ keyText: string; hostedId: string }>;

const unauthenticated = (refusal: Refusal): Caller => ({ type: "unauthenticated", refusal });

type CallerCredentials = Readonly<{
  keyText: string | null;
  /**
   * The id of the business that the request names. Null selects the key's own or default business.
   */
  businessId: string | null;
  /**
   * Runs before a key that is not cached is looked up in the database.
   *
   * @throws Refusal when the caller may not cause a look-up.
   */
  assertLookupAllowed: () => void;
  /** Whether the call also takes the console's cookie, which counts without any other credential. */
  takesConsoleCookie: boolean;
}>;

/**
 * Identifies the caller by its key (docs/contract/conventions.md#keys). An invalid key is not
 * refused here, because the route may not need a key.
 */
export async function identifyCaller(
  c: Context<ApiEnv>,
  credentials: CallerCredentials,
): Promise<Caller> {
  const { keyText } = credentials;
  if (keyText !== null) return identifyKey(c, { ...credentials, keyText });
  if (credentials.takesConsoleCookie && hasConsoleCookie(c)) {
    const { identifyMember } = await loadConsoleLogin();
    return refuseOnSandboxHost(c, await identifyMember(c, credentials));
  }
  return unauthenticated(unauthorized("Send a key in X-Public-Key or X-API-Key."));
}

async function identifyKey(
  c: RequestContext,
  {
    keyText,
    businessId,
    assertLookupAllowed,
  }: Pick<CallerCredentials, "businessId" | "assertLookupAllowed"> & Readonly<{ keyText: string }>,
): Promise<Caller> {
  const hostedId = await parseHostedKey(c.get("settings"), keyText);
  const found =
    hostedId === null
      ? await businesses.findByKey(keyText, businessId, {
          ...lookupOptions(c),
          assertMayLookUp: assertLookupAllowed,
        })
      : await findHosted(c, { keyText, hostedId, businessId });
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
  const refusal =
    sandboxRefusal(c, key.mode) ?? (key.kind === "publishable" ? shopperRefusal(business) : null);
  return refusal ? unauthenticated(refusal) : { type: "keyed", key, business };
}

function refuseOnSandboxHost(c: RequestContext, caller: Caller): Caller {
  if (caller.type === "unauthenticated") return caller;
  const refusal = sandboxRefusal(c, caller.business.mode);
  return refusal ? unauthenticated(refusal) : caller;
}

const sandboxRefusal = (c: RequestContext, mode: Mode): Refusal | null =>
  mode === "live" && isSandboxHost(new URL(c.req.url).hostname)
    ? unauthorized("A sandbox host accepts test keys only.")
    : null;

/** Whether one part of the host name is `sandbox`, as in `sandbox.shop.example`. */
const isSandboxHost = (host: string): boolean => host.split(".").includes("sandbox");

/**
 * The API key of a request; null when none is sent. A publishable key may be sent in X-Public-Key
 * or X-API-Key. A secret key may be sent in X-API-Key or as a bearer token.
 */
export function readApiKey(c: RequestContext): string | null {
  const publishableKey = c.req.header("x-public-key");
  if (publishableKey !== undefined) return publishableKeyOrEmpty(publishableKey);
  const bearer = /^Bearer +((?:sk|dk)_\S+)$/i.exec(c.req.header("authorization") ?? "")?.[1];
  return c.req.header("x-api-key") ?? bearer ?? null;
}

/**
 * Like `readApiKey`. A browser cannot set headers for a WebSocket, so on `socketPath` the
 * publishable key may also be in the query (docs/contract/storefront.md#support-socket).
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
 * Returns a publishable key unchanged, and "" for any other text. No key equals "", so the caller
 * gets the same refusal as for an unknown key.
 */
export const publishableKeyOrEmpty = (keyText: string): string =>
  parseKeyText(keyText)?.kind === "publishable" ? keyText : "";
