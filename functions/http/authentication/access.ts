import type { MiddlewareHandler } from "hono";
import { hasScope, type KeyScope } from "../../../shared/businesses/index.ts";
import { digestsEqual, notFound, sha256 } from "../../../shared/kernel/index.ts";
import type { ApiEnv } from "../api-env.ts";
import { forbidden, unauthorized } from "../errors.ts";
import type { SelectResponseStore } from "../idempotency/idempotency.ts";

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
