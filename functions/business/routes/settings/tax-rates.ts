import { z } from "@hono/zod-openapi";
import {
  archiveTaxRate,
  createTaxRate,
  taxRateRepo,
  updateTaxRate,
} from "../../../../shared/tax/index.ts";
import { createRoutes } from "../../../http/app.ts";
import { secretKey } from "../../../http/authentication/access.ts";
import { envelope, requireJson, route } from "../../../http/contract.ts";
import { id } from "../../../wire/fields.ts";
import { createPage, Page, pageQuery, parseIdPosition } from "../../../wire/paging.ts";
import { createMerchantContext } from "../../context.ts";
import {
  NewTaxRateFields,
  TaxRateFields,
  toNewTaxRate,
  toTaxRatePatch,
} from "../../requests/tax-fields.ts";
import { TaxRateView, viewTaxRate } from "../../views/settings/tax.ts";

const path = "/v1/businesses/{business_id}/tax/rates";
const params = z.object({ business_id: id() });
const oneParams = params.extend({ tax_rate_id: id() });

export const taxRates = createRoutes()
  .openapi(
    route("get", path, {
      operationId: "listTaxRates",
      tag: "Tax",
      summary: "List tax rates, oldest first",
      access: secretKey("settings:read"),
      params,
      query: z.object(pageQuery),
      response: Page(TaxRateView),
    }),
    async (c) => {
      const { limit, cursor } = c.req.valid("query");
      const after = parseIdPosition(cursor, "txr_");
      const rates = await taxRateRepo(createMerchantContext(c)).list({ limit: limit + 1, after });
      const page = createPage(rates, { limit, view: viewTaxRate, position: (rate) => rate.id });
      return c.json(envelope(page), 200);
    },
  )
  .openapi(
    route("get", `${path}/{tax_rate_id}`, {
      operationId: "getTaxRate",
      tag: "Tax",
      summary: "Get a tax rate",
      access: secretKey("settings:read"),
      params: oneParams,
      response: TaxRateView,
    }),
    async (c) => {
      const { rate } = await taxRateRepo(createMerchantContext(c)).get(
        c.req.valid("param").tax_rate_id,
      );
      return c.json(envelope(viewTaxRate(rate)), 200);
    },
  )
  .openapi(
    route("post", path, {
      operationId: "createTaxRate",
      tag: "Tax",
      summary: "Create a tax rate",
      access: secretKey("settings:write"),
      rules: ["TAX_RATE_LIMIT"],
      params,
      body: requireJson(NewTaxRateFields),
      response: TaxRateView,
      status: 201,
    }),
    async (c) => {
      const rate = await createTaxRate(createMerchantContext(c), toNewTaxRate(c.req.valid("json")));
      return c.json(envelope(viewTaxRate(rate)), 201);
    },
  )
  .openapi(
    route("patch", `${path}/{tax_rate_id}`, {
      operationId: "updateTaxRate",
      tag: "Tax",
      summary: "Update a tax rate",
      access: secretKey("settings:write"),
      rules: ["TAX_RATE_LIMIT"],
      params: oneParams,
      body: requireJson(TaxRateFields),
      response: TaxRateView,
    }),
    async (c) => {
      const rate = await updateTaxRate(
        createMerchantContext(c),
        c.req.valid("param").tax_rate_id,
        toTaxRatePatch(c.req.valid("json")),
      );
      return c.json(envelope(viewTaxRate(rate)), 200);
    },
  )
  .openapi(
    route("delete", `${path}/{tax_rate_id}`, {
      operationId: "archiveTaxRate",
      tag: "Tax",
      summary: "Archive a tax rate, which then taxes nothing",
      access: secretKey("settings:write"),
      params: oneParams,
      response: TaxRateView,
    }),
    async (c) => {
      const rate = await archiveTaxRate(createMerchantContext(c), c.req.valid("param").tax_rate_id);
      return c.json(envelope(viewTaxRate(rate)), 200);
    },
  );
