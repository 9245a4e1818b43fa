import { createRoutes } from "../../http/app.ts";
import { publishableKey } from "../../http/authentication/access.ts";
import { envelope, route } from "../../http/contract.ts";
import { createOrderContext } from "../order-context.ts";
import { PublicBusinessView, viewPublicBusiness } from "../views/business.ts";

export const business = createRoutes().openapi(
  route("get", "/business", {
    operationId: "getBusiness",
    tag: "Business",
    summary: "Get the business's public details",
    access: publishableKey,
    response: PublicBusinessView,
  }),
  (c) => c.json(envelope(viewPublicBusiness(createOrderContext(c))), 200),
);
