import { z } from "@hono/zod-openapi";
import {
  businessRepo,
  createOrganizationKey,
  keyRepo,
  revokeOrganizationKey,
} from "../../../../shared/businesses/index.ts";
import { area } from "../../../http/app.ts";
import { operator } from "../../../http/authentication/access.ts";
import { answer, contract, json } from "../../../http/contract.ts";
import { id } from "../../../wire/fields.ts";
import { idPosition, Page, pageOf, pageQuery } from "../../../wire/paging.ts";
import { operatorContext } from "../../context.ts";
import { NewKey } from "../../requests/key-fields.ts";
import { KeyView, NewKeyView, viewKey } from "../../views/settings/key.ts";

const path = "/v1/organizations/{organization_id}/keys";
const params = z.object({ organization_id: id() });

/** A key has one mode, of the two that an organization's businesses may be in. */
const NewOrganizationKey = NewKey.extend({
  mode: z.enum(["live", "test"]).nullable().default(null),
});

/** The keys of whole organizations: the operator's, since no business may hand out what serves its sisters. */
export const organizationKeys = area()
  .openapi(
    contract("get", path, {
      summary: "The organization's keys, the newest first, the revoked ones too",
      access: operator,
      params,
      query: z.object(pageQuery),
      answer: Page(KeyView),
    }),
    async (c) => {
      const { limit, cursor } = c.req.valid("query");
      const { organization_id: organizationId } = c.req.valid("param");
      const { core } = operatorContext(c);
      const before = idPosition(cursor);
      await businessRepo(core).getDefaultOf(organizationId);
      const keys = keyRepo(core, { type: "organization", id: organizationId });
      const found = await keys.list({ limit: limit + 1, before });
      return c.json(answer(pageOf(found, { limit, view: viewKey, position: ({ id }) => id })), 200);
    },
  )
  .openapi(
    contract("post", path, {
      summary:
        "Make a key that serves every business of the organization in its mode; its text is in this answer only",
      access: operator,
      params,
      body: json(NewOrganizationKey),
      answer: NewKeyView,
      status: 201,
    }),
    async (c) => {
      const { organization_id: organizationId } = c.req.valid("param");
      const wanted = { ...c.req.valid("json"), organizationId };
      const { key, text } = await createOrganizationKey(operatorContext(c), wanted);
      return c.json(answer({ ...viewKey(key), key: text }), 201);
    },
  )
  .openapi(
    contract("delete", `${path}/{key_id}`, {
      summary: "Revoke a key of the organization; it stops working within 10 seconds",
      access: operator,
      params: params.extend({ key_id: id() }),
      answer: KeyView,
    }),
    async (c) => {
      const { organization_id: organizationId, key_id } = c.req.valid("param");
      const of = { organizationId, id: key_id };
      const revoked = await revokeOrganizationKey(operatorContext(c), of);
      return c.json(answer(viewKey(revoked)), 200);
    },
  );
