import { z } from "@hono/zod-openapi";
import {
  archiveCustomerGroup,
  createCustomerGroup,
  customerGroupRepo,
  updateCustomerGroup,
} from "../../../../shared/customers/index.ts";
import { createRoutes } from "../../../http/app.ts";
import { secretKey } from "../../../http/authentication/access.ts";
import { envelope, requireJson, route } from "../../../http/contract.ts";
import { id } from "../../../wire/fields.ts";
import { createPage, Page, pageQuery, parseIdPosition } from "../../../wire/paging.ts";
import { createMerchantContext } from "../../context.ts";
import {
  CustomerGroupPatchFields,
  NewCustomerGroupFields,
  toCustomerGroupPatch,
  toNewCustomerGroup,
} from "../../requests/customer-fields.ts";
import { CustomerGroupView, viewCustomerGroup } from "../../views/orders/customer-group.ts";

const path = "/v1/businesses/{business_id}/customer-groups";
const onePath = `${path}/{customer_group_id}` as const;
const params = z.object({ business_id: id() });
const oneParams = params.extend({ customer_group_id: id() });

/** The calls for groups of customers (docs/contract/business.md#customer-groups). */
export const customerGroups = createRoutes()
  .openapi(
    route("get", path, {
      operationId: "listCustomerGroups",
      tag: "Customer groups",
      summary: "List customer groups, newest first",
      description: "A page may be short when its groups have many customers.",
      access: secretKey("customers:read"),
      params,
      query: z.object(pageQuery),
      response: Page(CustomerGroupView),
    }),
    async (c) => {
      const { limit, cursor } = c.req.valid("query");
      const { groups, isCut } = await customerGroupRepo(createMerchantContext(c)).list({
        limit: limit + 1,
        after: parseIdPosition(cursor),
      });
      const page = createPage(groups, {
        limit,
        view: viewCustomerGroup,
        position: ({ group }) => group.id,
        resumeAt: (isCut && groups.at(-1)?.group.id) || null,
      });
      return c.json(envelope(page), 200);
    },
  )
  .openapi(
    route("get", onePath, {
      operationId: "getCustomerGroup",
      tag: "Customer groups",
      summary: "Get a customer group",
      access: secretKey("customers:read"),
      params: oneParams,
      response: CustomerGroupView,
    }),
    async (c) => {
      const record = await customerGroupRepo(createMerchantContext(c)).get(
        c.req.valid("param").customer_group_id,
      );
      return c.json(envelope(viewCustomerGroup(record)), 200);
    },
  )
  .openapi(
    route("post", path, {
      operationId: "createCustomerGroup",
      tag: "Customer groups",
      summary: "Create a customer group",
      access: secretKey("customers:write"),
      params,
      body: requireJson(NewCustomerGroupFields),
      response: CustomerGroupView,
      status: 201,
      errors: ["NOT_FOUND"],
    }),
    async (c) => {
      const input = toNewCustomerGroup(c.req.valid("json"));
      const created = await createCustomerGroup(createMerchantContext(c), input);
      return c.json(envelope(viewCustomerGroup(created)), 201);
    },
  )
  .openapi(
    route("patch", onePath, {
      operationId: "updateCustomerGroup",
      tag: "Customer groups",
      summary: "Change a customer group's name or its customers",
      description: "customer_ids replaces all of them; the other lists let some join or leave.",
      access: secretKey("customers:write"),
      params: oneParams,
      body: requireJson(CustomerGroupPatchFields),
      response: CustomerGroupView,
    }),
    async (c) => {
      const changed = await updateCustomerGroup(
        createMerchantContext(c),
        c.req.valid("param").customer_group_id,
        toCustomerGroupPatch(c.req.valid("json")),
      );
      return c.json(envelope(viewCustomerGroup(changed)), 200);
    },
  )
  .openapi(
    route("delete", onePath, {
      operationId: "archiveCustomerGroup",
      tag: "Customer groups",
      summary: "Archive a customer group",
      description: "Its customers stay.",
      access: secretKey("customers:write"),
      params: oneParams,
      response: CustomerGroupView,
    }),
    async (c) => {
      const archived = await archiveCustomerGroup(
        createMerchantContext(c),
        c.req.valid("param").customer_group_id,
      );
      return c.json(envelope(viewCustomerGroup(archived)), 200);
    },
  );
