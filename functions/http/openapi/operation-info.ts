import type { ErrorCode } from "../../../shared/kernel/index.ts";
import { type Access, assetScope } from "../authentication/access.ts";
import type { Rule } from "./rules.ts";
import type { Tag } from "./tags.ts";

/**
 * How a call uses the shopper's session: it starts one when there is none, reads one when there is
 * one, or refuses callers without one.
 */
export type SessionUse = "starts" | "optional" | "required";

/** How the OpenAPI document names and groups an operation. */
export type OperationInfo = {
  /**
   * The operation's name: a verb and a noun in camelCase, unique within the OpenAPI document. Clients
   * use it as the name of a method.
   */
  operationId: string;
  /** The section of the reference that lists the operation. */
  tag: Tag;
  summary: string;
  /** What the summary leaves out. */
  description?: string;
  /** How the call uses the shopper's session. By default it reads none. */
  session?: SessionUse;
  /** Whether the response carries an ETag, so that a client may ask whether it has changed. */
  hasEntityTag?: boolean;
  /** Error codes beyond those that the credential, the input and the method imply. */
  errors?: readonly ErrorCode[];
  /** The rules that a 422 may name. */
  rules?: readonly Rule[];
};

/** What the document's error responses and headers follow from. Not a part of the document. */
export type ImpliedFacts = Readonly<{
  access: Access["kind"];
  /** Whether the call honours an Idempotency-Key. */
  isRepeatable: boolean;
  usesSession: boolean;
  hasEntityTag: boolean;
  errors: readonly ErrorCode[];
  rules: readonly Rule[];
}>;

/** The field of a route that carries the facts to the document. */
export const factsField = "x-facts";

/** The fields of a route that describe its operation. */
export function documentOperation(
  info: OperationInfo,
  { access, isRepeatable }: Readonly<{ access: Access; isRepeatable: boolean }>,
) {
  const { operationId, tag, summary, description, session, errors = [], rules = [] } = info;
  const facts: ImpliedFacts = {
    access: access.kind,
    isRepeatable,
    usesSession: session !== undefined,
    hasEntityTag: info.hasEntityTag ?? false,
    errors,
    rules,
  };
  return {
    operationId,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    security: securityRequirements(access).flatMap((requirement) =>
      withSession(requirement, session),
    ),
    [factsField]: facts,
  };
}

type SecurityRequirement = Record<string, string[]>;

/** The requirement with the session's cookie or token, and without one where it may be missing. */
function withSession(
  requirement: SecurityRequirement,
  session: SessionUse | undefined,
): SecurityRequirement[] {
  if (session === undefined) return [requirement];
  const withTokens = [
    { ...requirement, sessionCookie: [] },
    { ...requirement, sessionToken: [] },
  ];
  return session === "required" ? withTokens : [requirement, ...withTokens];
}

/** The OpenAPI security requirements of a credential. Each one alone is sufficient. */
function securityRequirements(access: Access): SecurityRequirement[] {
  switch (access.kind) {
    case "publishable":
      return [{ publishableKey: [] }];
    case "secret":
      return [
        { secretKey: [access.scope] },
        { consoleSession: access.isForEveryMember ? [] : [access.scope] },
      ];
    case "deploy":
      return [{ deployKey: [] }, { consoleSession: [assetScope] }];
    case "operator":
      return [{ operatorToken: [] }, ...(access.needsToken ? [] : [{ consoleSession: [] }])];
    case "secretOrOperator":
      return [
        { secretKey: [access.scope] },
        { consoleSession: [access.scope] },
        { operatorToken: [] },
      ];
    case "custom":
      return [...access.security];
  }
}
