import { z } from "@hono/zod-openapi";
import type { KeyScope } from "../../../../shared/businesses/index.ts";
import {
  changeRole,
  inviteMember,
  memberRepo,
  removeMember,
  roles,
} from "../../../../shared/members/index.ts";
import { createRoutes } from "../../../http/app.ts";
import { secretKey, secretKeyOrOperator } from "../../../http/authentication/access.ts";
import { callerScopes } from "../../../http/authentication/caller.ts";
import { type RequestContext, requireCaller } from "../../../http/context.ts";
import { envelope, requireJson, route } from "../../../http/contract.ts";
import { storeByApiKeyInCore } from "../../../http/idempotency/idempotency.ts";
import { id, name } from "../../../wire/fields.ts";
import { createPage, Page, pageQuery, parseIdPosition } from "../../../wire/paging.ts";
import { createMerchantContext, createMerchantOrOperatorContext } from "../../context.ts";
import type { BusinessBindings } from "../../env.ts";
import { email } from "../../requests/email-field.ts";
import { assertCanInvite, createInvitationMessage } from "../../send-invitation.ts";
import { MemberView, viewMember } from "../../views/settings/member.ts";

const path = "/v1/businesses/{business_id}/members";
const params = z.object({ business_id: id() });
const oneParams = params.extend({ member_id: id() });

const heldScopesOf = (c: RequestContext): readonly KeyScope[] =>
  c.get("isOperator") ? ["*"] : callerScopes(requireCaller(c));

/** Who works for the business (docs/contract/members.md#members). */
export const members = createRoutes<BusinessBindings>()
  .openapi(
    route("get", path, {
      operationId: "listMembers",
      tag: "Members",
      summary: "List members and open invitations, newest first",
      access: secretKey("members:read"),
      params,
      query: z.object(pageQuery),
      response: Page(MemberView),
    }),
    async (c) => {
      const { limit, cursor } = c.req.valid("query");
      const { core, business } = createMerchantContext(c);
      const before = parseIdPosition(cursor);
      const records = await memberRepo(core, business.id).list({ limit: limit + 1, before });
      return c.json(
        envelope(createPage(records, { limit, view: viewMember, position: ({ id }) => id })),
        200,
      );
    },
  )
  .openapi(
    route("post", path, {
      operationId: "inviteMember",
      tag: "Members",
      summary: "Invite a person by e-mail, as the merchant or the operator",
      description: "An address that was invited before keeps its record.",
      access: secretKeyOrOperator("members:write"),
      params,
      body: requireJson(z.object({ email: email(), name: name().nullish(), role: z.enum(roles) })),
      response: MemberView,
      status: 201,
    }),
    async (c) => {
      const ctx = await createMerchantOrOperatorContext(c, c.req.valid("param").business_id);
      assertCanInvite(c);
      const { name = null, ...input } = c.req.valid("json");
      const message = createInvitationMessage(c, ctx);
      const heldScopes = heldScopesOf(c);
      const { writeMessage } = message;
      const member = await inviteMember(ctx, { ...input, name, heldScopes, writeMessage });
      await message.send();
      return c.json(envelope(viewMember(member)), 201);
    },
  )
  .openapi(
    route("get", `${path}/{member_id}`, {
      operationId: "getMember",
      tag: "Members",
      summary: "Get a member or an open invitation",
      access: secretKey("members:read"),
      params: oneParams,
      response: MemberView,
    }),
    async (c) => {
      const { core, business } = createMerchantContext(c);
      const { member } = await memberRepo(core, business.id).getBesideOwner(
        c.req.valid("param").member_id,
      );
      return c.json(envelope(viewMember(member)), 200);
    },
  )
  .openapi(
    route("patch", `${path}/{member_id}`, {
      operationId: "updateMember",
      tag: "Members",
      summary: "Change a member's role",
      description: "It takes effect within 10 seconds.",
      access: secretKey("members:write"),
      rules: ["LAST_OWNER"],
      params: oneParams,
      body: requireJson(z.object({ role: z.enum(roles) })),
      response: MemberView,
      idempotency: { store: storeByApiKeyInCore },
    }),
    async (c) => {
      const { member_id: memberId } = c.req.valid("param");
      const change = { id: memberId, role: c.req.valid("json").role, heldScopes: heldScopesOf(c) };
      return c.json(envelope(viewMember(await changeRole(createMerchantContext(c), change))), 200);
    },
  )
  .openapi(
    route("delete", `${path}/{member_id}`, {
      operationId: "removeMember",
      tag: "Members",
      summary: "Remove a member, or withdraw an invitation",
      description: "Access ends within 10 seconds.",
      access: secretKey("members:write"),
      rules: ["LAST_OWNER"],
      params: oneParams,
      response: MemberView,
      idempotency: { store: storeByApiKeyInCore },
    }),
    async (c) => {
      const { member_id: memberId } = c.req.valid("param");
      const change = { id: memberId, heldScopes: heldScopesOf(c) };
      return c.json(
        envelope(viewMember(await removeMember(createMerchantContext(c), change))),
        200,
      );
    },
  );
