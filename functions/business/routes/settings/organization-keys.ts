import { z } from "@hono/zod-openapi";
import {
  createOrganizationKey,
  keyRepo,
  organizationRepo,
  revokeOrganizationKey,
} from "../../../../shared/businesses/index.ts";
import { createRoutes } from "../../../http/app.ts";
import { operator } from "../../../http/authentication/access.ts";
import { envelope, requireJson, route } from "../../../http/contract.ts";
import { id } from "../../../wire/fields.ts";
import { createPage, Page, pageQuery, parseIdPosition } from "../../../wire/paging.ts";
import { createOperatorContext } from "../../context.ts";
import { NewKeyFields } from "../../requests/key-fields.ts";
import { KeyView, NewKeyView, viewKey } from "../../views/settings/key.ts";

const path = "/v1/organizations/{organization_id}/keys";
const params = z.object({ organization_id: id() });

/** A key works either in live mode or in test mode. An organization may have businesses of both. */
const NewOrganizationKeyBody = NewKeyFields.extend({
  mode: z.enum(["live", "test"]).nullable().default(null),
});

/** Only the operator issues keys of organizations, because such a key serves several businesses. */
export const organizationKeys = createRoutes()
  .openapi(
    route("get", path, {
      operationId: "listOrganizationKeys",
      tag: "Organizations",
      summary: "List an organization's keys, including revoked ones, newest first",
      access: operator,
      params,
      query: z.object(pageQuery),
      response: Page(KeyView),
    }),
    async (c) => {
      const { limit, cursor } = c.req.valid("query");
      const { organization_id: organizationId } = c.req.valid("param");
      const { core } = createOperatorContext(c);
      const before = parseIdPosition(cursor);
      await organizationRepo(core).getDefaultBusiness(organizationId);
      const keys = keyRepo(core, { type: "organization", id: organizationId });
      const page = await keys.list({ limit: limit + 1, before });
      return c.json(
        envelope(createPage(page, { limit, view: viewKey, position: ({ id }) => id })),
        200,
      );
    },
  )
  .openapi(
    route("post", path, {
      operationId: "createOrganizationKey",
      tag: "Organizations",
      summary: "Create a key for all businesses of the organization in its mode",
      description: "Only this response contains its text.",
      access: operator,
      params,
      body: requireJson(NewOrganizationKeyBody),
      response: NewKeyView,
      status: 201,
    }),
    async (c) => {
      const { organization_id: organizationId } = c.req.valid("param");
      const input = { ...c.req.valid("json"), organizationId };
      const { key, text } = await createOrganizationKey(createOperatorContext(c), input);
      return c.json(envelope({ ...viewKey(key), key: text }), 201);
    },
  )
  .openapi(
    route("delete", `${path}/{key_id}`, {
      operationId: "revokeOrganizationKey",
      tag: "Organizations",
      summary: "Revoke an organization's key",
      description: "It stops working within 10 seconds.",
      access: operator,
      params: params.extend({ key_id: id() }),
      response: KeyView,
    }),
    async (c) => {
      const { organization_id: organizationId, key_id } = c.req.valid("param");
      const keyRef = { organizationId, id: key_id };
      const revoked = await revokeOrganizationKey(createOperatorContext(c), keyRef);
      return c.json(envelope(viewKey(revoked)), 200);
    },
  );
