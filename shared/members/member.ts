import { hasScope, type KeyScope } from "../businesses/index.ts";
import { day, Refusal, ruleViolation } from "../kernel/index.ts";
import { type Role, scopesOfRole } from "./role.ts";

/** How long an invitation can be accepted (docs/contract/members.md#member-invitations). */
export const invitationTtlMs = 7 * day;

/** A person who works for a business, or who was invited to. */
export type Member = Readonly<{
  id: string;
  businessId: string;
  /** Null until the person has accepted. */
  userId: string | null;
  email: string;
  name: string | null;
  role: Role;
  invitedAt: number;
  /** When the invitation ends; null for one without an end, and for an accepted one. */
  expiresAt: number | null;
  acceptedAt: number | null;
}>;

export const memberStatuses = ["invited", "active"] as const;

export const statusOfMember = ({
  acceptedAt,
}: Pick<Member, "acceptedAt">): (typeof memberStatuses)[number] =>
  acceptedAt === null ? "invited" : "active";

/** Whether the business would have no owner without this one. Invited owners do not count. */
export const isActiveOwner = ({ role, acceptedAt }: Pick<Member, "role" | "acceptedAt">): boolean =>
  role === "owner" && acceptedAt !== null;

export const lastOwner = () =>
  ruleViolation(
    "LAST_OWNER",
    "This is the last owner. Make another member who has accepted an owner first.",
  );

/**
 * Nobody makes, changes or removes a member who may do more than the caller.
 *
 * @throws Refusal FORBIDDEN that names a scope that the caller lacks.
 */
export function assertRoleHeld(heldScopes: readonly KeyScope[], role: Role): void {
  const missing = scopesOfRole(role).find((scope) => !hasScope(heldScopes, scope));
  if (missing === undefined) return;
  throw new Refusal({
    code: "FORBIDDEN",
    message: `Only who holds the scope ${missing} can give or take the role ${role}.`,
  });
}
