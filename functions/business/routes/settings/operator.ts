import { z } from "@hono/zod-openapi";
import {
  businessRepo,
  createBusiness,
  defaultLocation,
  defaultSettings,
  paymentOwners,
} from "../../../../shared/businesses/index.ts";
import { omitUndefined } from "../../../../shared/kernel/index.ts";
import { insertFirstOwner } from "../../../../shared/members/index.ts";
import { createRoutes } from "../../../http/app.ts";
import { operator } from "../../../http/authentication/access.ts";
import { envelope, requireJson, route } from "../../../http/contract.ts";
import { country } from "../../../wire/country.ts";
import { name, slug } from "../../../wire/fields.ts";
import { createPage, Page, pageQuery, parseIdPosition } from "../../../wire/paging.ts";
import { createOperatorContext } from "../../context.ts";
import { AppearanceFields, toAppearance } from "../../requests/business-fields.ts";
import { email } from "../../requests/email-field.ts";
import { organizationId, supportedCurrency, timezone } from "../../requests/fields.ts";
import { BusinessView, viewBusiness } from "../../views/settings/business.ts";
import { LocationView, viewLocation } from "../../views/settings/location.ts";

const NewBusinessBody = z
  .object({
    name: name(),
    slug: slug().optional(),
    appearance: AppearanceFields.optional(),
    mode: z.enum(["live", "test"]),
    currency: supportedCurrency(),
    default_country: country(),
    timezone: timezone(),
    organization_id: organizationId().nullable().default(null),
    owner_email: email().nullish(),
    payments: z.enum(paymentOwners).default("own"),
  })
  .transform(({ default_country, organization_id, owner_email, appearance = {}, ...fields }) => ({
    ...fields,
    defaultCountry: default_country,
    organizationId: organization_id,
    ownerEmail: owner_email ?? null,
    settings: {
      appearance: { ...defaultSettings.appearance, ...omitUndefined(toAppearance(appearance)) },
    },
  }));

const CreatedBusinessView = z
  .object({
    business: BusinessView,
    location: LocationView,
    keys: z.object({ publishable: z.string(), secret: z.string(), deploy: z.string() }),
  })
  .openapi("CreatedBusiness");

/** The write that invites the owner that the operator names. */
function ownerWrites(
  { core, newId, now }: ReturnType<typeof createOperatorContext>,
  { businessId, email }: Readonly<{ businessId: string; email: string | null }>,
) {
  if (email === null) return [];
  return [insertFirstOwner(core, { id: newId("mem"), businessId, email, now: now() })];
}

export const operatorRoutes = createRoutes()
  .openapi(
    route("post", "/v1/businesses", {
      operationId: "createBusiness",
      tag: "Businesses",
      summary: "Create a business with its default location and first keys",
      access: operator,
      body: requireJson(NewBusinessBody),
      response: CreatedBusinessView,
      status: 201,
    }),
    async (c) => {
      const { ownerEmail, ...input } = c.req.valid("json");
      const ctx = createOperatorContext(c);
      const { business, keys } = await createBusiness(
        { ...ctx, writesFor: ({ id }) => ownerWrites(ctx, { businessId: id, email: ownerEmail }) },
        input,
      );
      const location = viewLocation(defaultLocation(business));
      return c.json(envelope({ business: viewBusiness(business), location, keys }), 201);
    },
  )
  .openapi(
    route("get", "/v1/businesses", {
      operationId: "listBusinesses",
      tag: "Businesses",
      summary: "List all businesses, newest first",
      access: operator,
      query: z.object(pageQuery),
      response: Page(BusinessView),
    }),
    async (c) => {
      const { limit, cursor } = c.req.valid("query");
      const { core } = createOperatorContext(c);
      const before = parseIdPosition(cursor);
      const records = await businessRepo(core).list({ limit: limit + 1, before });
      return c.json(
        envelope(createPage(records, { limit, view: viewBusiness, position: ({ id }) => id })),
        200,
      );
    },
  );
