import type { ApiKey, Business, KeyScope } from "../../../shared/businesses/index.ts";
import type { Refusal } from "../../../shared/kernel/index.ts";
import type { Role } from "../../../shared/members/index.ts";

/** A member of the business, with the console's cookie. */
type MemberCaller = Readonly<{
  type: "member";
  userId: string;
  role: Role;
  /** What the role may do. */
  scopes: readonly KeyScope[];
  /** The hash of the cookie's token. */
  tokenHash: string;
  business: Business;
}>;

/** A caller with a credential of one business. */
export type IdentifiedCaller =
  | Readonly<{ type: "keyed"; key: ApiKey; business: Business }>
  | MemberCaller;

/**
 * Who sent the request: an API key with its business, a member of it, or an unauthenticated caller.
 * Routes that require a credential respond to the latter with `refusal`.
 */
export type Caller = Readonly<{ type: "unauthenticated"; refusal: Refusal }> | IdentifiedCaller;

/** The id of the API key, or of the member's user. The audit trail names it. */
export const callerId = (caller: IdentifiedCaller): string =>
  caller.type === "keyed" ? caller.key.id : caller.userId;

/** What the caller may do: the scopes of the key, or of the member's role. */
export const callerScopes = (caller: IdentifiedCaller): readonly KeyScope[] =>
  caller.type === "keyed" ? caller.key.scopes : caller.scopes;
