import { z } from "@hono/zod-openapi";
import { customerRepo } from "../../../../shared/customers/index.ts";
import { erasePersonalData, exportPersonalData } from "../../../../shared/personal-data/index.ts";
import { area } from "../../../http/app.ts";
import { secretKey } from "../../../http/authentication/access.ts";
import { answer, contract } from "../../../http/contract.ts";
import { id, name } from "../../../wire/fields.ts";
import { idPosition, Page, pageOf, pageQuery } from "../../../wire/paging.ts";
import { merchantContext } from "../../context.ts";
import { transcriptsOf } from "../../conversation-call.ts";
import type { BusinessBindings } from "../../env.ts";
import { MerchantCustomerView, viewMerchantCustomer } from "../../views/orders/customer.ts";
import { PersonalDataView, viewPersonalData } from "../../views/orders/personal-data.ts";

const path = "/v1/businesses/{business_id}/customers";
const onePath = `${path}/{customer_id}` as const;
const params = z.object({ business_id: id() });
const oneParams = params.extend({ customer_id: id() });

/** business-surface.md, Orders, payments, customers. */
export const customers = area<BusinessBindings>()
  .openapi(
    contract("get", path, {
      summary: "The business's customers, the newest first; search in name, e-mail and phone",
      access: secretKey("customers:read"),
      params,
      query: z.object({ ...pageQuery, search: name(100).optional() }),
      answer: Page(MerchantCustomerView),
    }),
    async (c) => {
      const ctx = merchantContext(c);
      const { limit, cursor, search } = c.req.valid("query");
      const found = await customerRepo(ctx).list({
        search,
        limit: limit + 1,
        after: idPosition(cursor),
      });
      const view = viewMerchantCustomer;
      return c.json(answer(pageOf(found, { limit, view, position: ({ id }) => id })), 200);
    },
  )
  .openapi(
    contract("get", onePath, {
      summary: "One customer",
      access: secretKey("customers:read"),
      params: oneParams,
      answer: MerchantCustomerView,
    }),
    async (c) => {
      const customer = await customerRepo(merchantContext(c)).get(c.req.valid("param").customer_id);
      return c.json(answer(viewMerchantCustomer(customer)), 200);
    },
  )
  .openapi(
    contract("get", `${onePath}/data`, {
      summary: "Everything that is kept of a customer",
      access: secretKey("customers:read"),
      params: oneParams,
      answer: PersonalDataView,
    }),
    async (c) => {
      const data = await exportPersonalData(merchantContext(c), c.req.valid("param").customer_id);
      const conversations = await transcriptsOf(c, data.supportConversations);
      return c.json(answer(viewPersonalData(data, conversations)), 200);
    },
  )
  .openapi(
    contract("delete", `${onePath}/data`, {
      summary: "Blank everything that tells who a customer is; orders keep their figures",
      access: secretKey("customers:write"),
      params: oneParams,
      answer: MerchantCustomerView,
      goesOn: true,
    }),
    async (c) => {
      const erased = await erasePersonalData(merchantContext(c), c.req.valid("param").customer_id);
      return c.json(answer(viewMerchantCustomer(erased)), 200);
    },
  );
