import { z } from "@hono/zod-openapi";
import { type Business, shopperRefusal } from "../../../shared/businesses/index.ts";
import { notFound, ruleViolation } from "../../../shared/kernel/index.ts";
import { createRoutes } from "../../http/app.ts";
import {
  type CustomAccess,
  findBusiness,
  findBusinessBySlug,
  findHostOwner,
  publishableKey,
} from "../../http/authentication/access.ts";
import { createHostedKey } from "../../http/authentication/hosted-key.ts";
import type { RequestContext } from "../../http/context.ts";
import { envelope, route } from "../../http/contract.ts";
import { idOrSlug } from "../../wire/fields.ts";
import { createOrderContext, createOrderContextFor } from "../order-context.ts";
import { PublicBusinessView, viewPublicBusiness } from "../views/business.ts";

/** Everybody may find a shop by its address. */
const everybody: CustomAccess = {
  kind: "custom",
  security: [],
  responseStore: null,
  check: (_, next) => next(),
};

const ShopView = z
  .object({ public_key: z.string(), business: PublicBusinessView })
  .openapi("HostedShop");

export const business = createRoutes()
  .openapi(
    route("get", "/business", {
      operationId: "getBusiness",
      tag: "Business",
      summary: "Get the business's public details",
      access: publishableKey,
      response: PublicBusinessView,
    }),
    (c) => c.json(envelope(viewPublicBusiness(createOrderContext(c))), 200),
  )
  .openapi(
    route("get", "/shops/{shop}", {
      operationId: "getShop",
      tag: "Business",
      summary: "Find a hosted shop by the slug, the id or the domain of its business",
      access: everybody,
      rules: ["DOMAIN_PENDING"],
      params: z.object({ shop: idOrSlug() }),
      response: ShopView,
    }),
    async (c) => {
      const { shop } = c.req.valid("param");
      const found = await findShop(c, shop);
      if (found === null) throw notFound("shop");
      const refusal = shopperRefusal(found);
      if (refusal !== null) throw refusal;
      const ctx = createOrderContextFor(c, { business: found, actor: { type: "anonymous" } });
      const public_key = await createHostedKey(c.get("settings"), found);
      return c.json(envelope({ public_key, business: viewPublicBusiness(ctx) }), 200);
    },
  );

/** @throws Refusal DOMAIN_PENDING for a hostname that its business has not proved to be its own. */
async function findShop(c: RequestContext, shop: string): Promise<Business | null> {
  if (shop.startsWith("biz_")) return findBusiness(c, shop);
  if (!shop.includes(".")) return findBusinessBySlug(c, shop);
  const owner = await findHostOwner(c, shop.toLowerCase());
  if (owner?.type === "pending") {
    throw ruleViolation("DOMAIN_PENDING", `${shop} is not verified yet. Add its DNS record first.`);
  }
  return owner?.type === "verified" ? owner.business : null;
}
