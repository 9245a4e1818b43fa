import { z } from "@hono/zod-openapi";
import {
  archiveTaxClass,
  createTaxClass,
  renameTaxClass,
  taxClassRepo,
} from "../../../../shared/tax/index.ts";
import { createRoutes } from "../../../http/app.ts";
import { secretKey } from "../../../http/authentication/access.ts";
import { envelope, requireJson, route } from "../../../http/contract.ts";
import { id } from "../../../wire/fields.ts";
import { createPage, invalidCursor, Page, pageQuery, parsePosition } from "../../../wire/paging.ts";
import { createMerchantContext } from "../../context.ts";
import { NewTaxClassFields, TaxClassFields } from "../../requests/tax-fields.ts";
import { TaxClassView, viewTaxClass } from "../../views/settings/tax.ts";

const path = "/v1/businesses/{business_id}/tax/classes";
const params = z.object({ business_id: id() });
const oneParams = params.extend({ tax_class_code: id() });

/** The code of the previous page's last class. Null for the first page. */
function parseCodePosition(cursor: string | undefined): string | null {
  const position = parsePosition(cursor);
  if (position === null || /^[a-z0-9-]{1,64}$/.test(position)) return position;
  throw invalidCursor();
}

export const taxClasses = createRoutes()
  .openapi(
    route("get", path, {
      operationId: "listTaxClasses",
      tag: "Tax",
      summary: "List tax classes in the order of their codes",
      access: secretKey("settings:read"),
      params,
      query: z.object(pageQuery),
      response: Page(TaxClassView),
    }),
    async (c) => {
      const { limit, cursor } = c.req.valid("query");
      const after = parseCodePosition(cursor);
      const classes = await taxClassRepo(createMerchantContext(c)).list({
        limit: limit + 1,
        after,
      });
      const page = createPage(classes, { limit, view: viewTaxClass, position: ({ code }) => code });
      return c.json(envelope(page), 200);
    },
  )
  .openapi(
    route("get", `${path}/{tax_class_code}`, {
      operationId: "getTaxClass",
      tag: "Tax",
      summary: "Get a tax class",
      access: secretKey("settings:read"),
      params: oneParams,
      response: TaxClassView,
    }),
    async (c) => {
      const { tax_class_code } = c.req.valid("param");
      const { taxClass } = await taxClassRepo(createMerchantContext(c)).get(tax_class_code);
      return c.json(envelope(viewTaxClass(taxClass)), 200);
    },
  )
  .openapi(
    route("post", path, {
      operationId: "createTaxClass",
      tag: "Tax",
      summary: "Create a tax class",
      access: secretKey("settings:write"),
      params,
      body: requireJson(NewTaxClassFields),
      response: TaxClassView,
      status: 201,
    }),
    async (c) => {
      const taxClass = await createTaxClass(createMerchantContext(c), c.req.valid("json"));
      return c.json(envelope(viewTaxClass(taxClass)), 201);
    },
  )
  .openapi(
    route("patch", `${path}/{tax_class_code}`, {
      operationId: "updateTaxClass",
      tag: "Tax",
      summary: "Rename a tax class",
      access: secretKey("settings:write"),
      params: oneParams,
      body: requireJson(TaxClassFields),
      response: TaxClassView,
    }),
    async (c) => {
      const { tax_class_code } = c.req.valid("param");
      const taxClass = await renameTaxClass(
        createMerchantContext(c),
        tax_class_code,
        c.req.valid("json"),
      );
      return c.json(envelope(viewTaxClass(taxClass)), 200);
    },
  )
  .openapi(
    route("delete", `${path}/{tax_class_code}`, {
      operationId: "archiveTaxClass",
      tag: "Tax",
      summary: "Archive a tax class that neither products nor rates have",
      access: secretKey("settings:write"),
      rules: ["INVALID_STATE"],
      params: oneParams,
      response: TaxClassView,
    }),
    async (c) => {
      const { tax_class_code } = c.req.valid("param");
      const taxClass = await archiveTaxClass(createMerchantContext(c), tax_class_code);
      return c.json(envelope(viewTaxClass(taxClass)), 200);
    },
  );
