import { z } from "@hono/zod-openapi";
import {
  businessRepo,
  createBusiness,
  defaultLocation,
} from "../../../../shared/businesses/index.ts";
import { area } from "../../../http/app.ts";
import { operator } from "../../../http/authentication/access.ts";
import { answer, contract, json } from "../../../http/contract.ts";
import { name } from "../../../wire/fields.ts";
import { idPosition, Page, pageOf, pageQuery } from "../../../wire/paging.ts";
import { operatorContext } from "../../context.ts";
import { country, knownCurrency, timezone } from "../../requests/fields.ts";
import { BusinessView, viewBusiness } from "../../views/settings/business.ts";
import { LocationView, viewLocation } from "../../views/settings/location.ts";

const NewBusiness = z
  .object({
    name: name(),
    mode: z.enum(["live", "test"]),
    currency: knownCurrency(),
    default_country: country(),
    timezone: timezone(),
    organization_id: z
      .string()
      .regex(/^org_[0-9a-z]{1,60}$/, "must be an organization's id such as org_01h…")
      .nullable()
      .default(null),
  })
  .transform(({ default_country, organization_id, ...fields }) => ({
    ...fields,
    defaultCountry: default_country,
    organizationId: organization_id,
  }));

const CreatedBusinessView = z
  .object({
    business: BusinessView,
    location: LocationView,
    keys: z.object({ publishable: z.string(), secret: z.string(), deploy: z.string() }),
  })
  .openapi("CreatedBusiness");

export const operatorRoutes = area()
  .openapi(
    contract("post", "/v1/businesses", {
      summary: "Create a business with its default location and first keys",
      access: operator,
      body: json(NewBusiness),
      answer: CreatedBusinessView,
      status: 201,
    }),
    async (c) => {
      const { business, keys } = await createBusiness(operatorContext(c), c.req.valid("json"));
      const location = viewLocation(defaultLocation(business));
      return c.json(answer({ business: viewBusiness(business), location, keys }), 201);
    },
  )
  .openapi(
    contract("get", "/v1/businesses", {
      summary: "All businesses, the newest first",
      access: operator,
      query: z.object(pageQuery),
      answer: Page(BusinessView),
    }),
    async (c) => {
      const { limit, cursor } = c.req.valid("query");
      const { core } = operatorContext(c);
      const before = idPosition(cursor);
      const found = await businessRepo(core).list({ limit: limit + 1, before });
      return c.json(
        answer(pageOf(found, { limit, view: viewBusiness, position: ({ id }) => id })),
        200,
      );
    },
  );
