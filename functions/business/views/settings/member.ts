import { z } from "@hono/zod-openapi";
import { iso, isoOrNull } from "../../../../shared/kernel/index.ts";
import {
  type Member,
  memberStatuses,
  roles,
  statusOfMember,
} from "../../../../shared/members/index.ts";

export const MemberView = z
  .object({
    id: z.string(),
    user_id: z.string().nullable().openapi({ description: "Null until the person has accepted." }),
    email: z.string(),
    name: z.string().nullable(),
    role: z.enum(roles),
    status: z.enum(memberStatuses),
    invited_at: z.string(),
    accepted_at: z.string().nullable(),
  })
  .openapi("Member");

export const viewMember = (member: Member): z.infer<typeof MemberView> => ({
  id: member.id,
  user_id: member.userId,
  email: member.email,
  name: member.name,
  role: member.role,
  status: statusOfMember(member),
  invited_at: iso(member.invitedAt),
  accepted_at: isoOrNull(member.acceptedAt),
});
