import { commitToCore, type KeyScope, type MerchantContext } from "../businesses/index.ts";
import type { Write } from "../database/index.ts";
import type { Message } from "../messaging/index.ts";
import { assertRoleHeld, invitationTtlMs, type Member } from "./member.ts";
import { memberRepo } from "./member-repo.ts";
import type { Role } from "./role.ts";

export type NewMember = Readonly<{ email: string; name: string | null; role: Role }>;

/**
 * Invites an address to work for the business. An address that was invited before, or has accepted,
 * keeps its record; an open invitation is valid for another 7 days.
 *
 * @throws Refusal FORBIDDEN for a role that may do more than the caller.
 */
export async function inviteMember(
  ctx: MerchantContext,
  { heldScopes, ...input }: NewMember & Readonly<{ heldScopes: readonly KeyScope[] }>,
): Promise<Member> {
  assertRoleHeld(heldScopes, input.role);
  const repo = memberRepo(ctx.core, ctx.business.id);
  const existing = await repo.findByEmail(input.email);
  const now = ctx.now();
  const expiresAt = now + invitationTtlMs;
  if (existing !== null) return renewInvitation(ctx, existing, expiresAt);
  const member = newMember(input, { id: ctx.newId("mem"), businessId: ctx.business.id, now });
  await commitToCore(ctx, {
    writes: [repo.insertIfMissing({ ...member, expiresAt })],
    // The audit trail outlives the member, so it holds neither the address nor the name.
    audit: { action: "member.invited", entity: member.id, after: { role: member.role } },
  });
  return (await repo.findByEmail(input.email)) ?? member;
}

async function renewInvitation(
  { core }: MerchantContext,
  member: Member,
  expiresAt: number,
): Promise<Member> {
  if (member.expiresAt === null) return member;
  await core.batch([memberRepo(core, member.businessId).renewInvitation(member.email, expiresAt)]);
  return { ...member, expiresAt };
}

const newMember = (
  { email, name, role }: NewMember,
  { id, businessId, now }: Readonly<{ id: string; businessId: string; now: number }>,
): Member => ({
  id,
  businessId,
  userId: null,
  email,
  name,
  role,
  invitedAt: now,
  expiresAt: null,
  acceptedAt: null,
});

/**
 * The write that makes an address the owner of a new business. This invitation does not end,
 * because nobody in the business could repeat it.
 */
export const insertFirstOwner = (
  core: MerchantContext["core"],
  { email, ...of }: Readonly<{ email: string; id: string; businessId: string; now: number }>,
): Write =>
  memberRepo(core, of.businessId).insertIfMissing(
    newMember({ email, name: null, role: "owner" }, of),
  );

/** A longer name could carry a message of its own. */
const maxNameLength = 60;

/** The message that tells a person of an invitation. It contains no secret: a login accepts it. */
export function toInvitationMessage(
  { business, newId, now }: Pick<MerchantContext, "business" | "newId" | "now">,
  { email, role }: Pick<Member, "email" | "role">,
  { consoleUrl }: Readonly<{ consoleUrl: string }>,
): Message {
  const shop = business.name.replace(/\s+/g, " ").trim().slice(0, maxNameLength);
  return {
    id: newId("msg"),
    name: "member.invitation",
    channel: "email",
    to: email,
    subject: `You are invited to ${shop}`,
    text: `You are invited to work for ${shop} as ${role}. Log in at ${consoleUrl} with this e-mail address within 7 days. If you did not expect this, ignore it.`,
    expiresAt: now() + invitationTtlMs,
  };
}
