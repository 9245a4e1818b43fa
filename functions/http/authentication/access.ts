import type { MiddlewareHandler } from "hono";
import { covers, type Scope } from "../../../shared/businesses/index.ts";
import { notFound, sameDigest, sha256 } from "../../../shared/kernel/index.ts";
import type { SurfaceEnv } from "../api-env.ts";
import { forbidden, unauthorized } from "../errors.ts";
import type { AnswersOf } from "../idempotency/idempotency.ts";

/** Whose credential a call takes. */
export type Access =
  | Readonly<{ kind: "publishable" }>
  | Readonly<{ kind: "secret"; scope: Scope }>
  | Readonly<{ kind: "deploy" }>
  | Readonly<{ kind: "operator" }>
  | OwnAccess;

/** A credential that one Worker alone knows, and checks by itself. */
export type OwnAccess = Readonly<{
  kind: "own";
  /** The OpenAPI names of what has to come together; each entry is a way in. */
  security: readonly Readonly<Record<string, string[]>>[];
  demand: MiddlewareHandler<SurfaceEnv>;
  /** Where answers of writes are kept for a repeat; null where they are not. */
  answersOf: AnswersOf | null;
}>;

export const publishableKey: Access = { kind: "publishable" };
export const deployKey: Access = { kind: "deploy" };
export const operator: Access = { kind: "operator" };
export const secretKey = (scope: Scope): Access => ({ kind: "secret", scope });

/** Lets a call through only to the credential that its row of the contract names. */
export function demand(access: Access): MiddlewareHandler<SurfaceEnv> {
  return async function demandAccess(c, next) {
    const caller = c.get("caller");
    switch (access.kind) {
      case "own":
        return access.demand(c, next);
      case "operator":
        await demandOperator(c.get("settings").operatorToken, c.req.header("authorization"));
        return next();
      case "publishable":
      case "deploy":
      case "secret":
        if (caller.type === "stranger") throw caller.refusal;
        if (caller.key.kind !== access.kind) {
          throw unauthorized(`This call takes a ${access.kind} key, not a ${caller.key.kind} one.`);
        }
        if (access.kind === "secret" && !covers(caller.key.scopes, access.scope)) {
          throw forbidden(`The key lacks the scope ${access.scope}.`);
        }
        if (access.kind === "publishable") demandOrigin(caller.business, c.req.header("origin"));
        return next();
    }
  };
}

function demandOrigin(business: WithOrigins, origin: string | undefined): void {
  if (origin === undefined || isAllowedOrigin(business, origin)) return;
  throw forbidden(`The origin ${origin} is not among the business's allowed_origins.`);
}

type WithOrigins = Readonly<{
  mode: "live" | "test";
  settings: Readonly<{ allowedOrigins: readonly string[] }>;
}>;

/** Whether pages of the origin may call with a publishable key; in test mode an empty list allows all. */
export function isAllowedOrigin({ mode, settings }: WithOrigins, origin: string): boolean {
  const { allowedOrigins } = settings;
  return allowedOrigins.includes(origin) || (allowedOrigins.length === 0 && mode === "test");
}

/** A deployment without an operator's token has no operator's calls: they are not there (404). */
async function demandOperator(
  token: string | undefined,
  header: string | undefined,
): Promise<void> {
  if (!token) throw notFound("call");
  const given = /^Bearer +(.+)$/i.exec(header ?? "")?.[1] ?? "";
  const [expected, actual] = await Promise.all([sha256(token), sha256(given)]);
  if (!sameDigest(expected, actual)) throw unauthorized("This call takes the operator's token.");
}
