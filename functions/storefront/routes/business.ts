import { area } from "../../http/app.ts";
import { publishableKey } from "../../http/authentication/access.ts";
import { keyed } from "../../http/context.ts";
import { answer, contract } from "../../http/contract.ts";
import { PublicBusiness, viewPublicBusiness } from "../views/business.ts";

export const business = area().openapi(
  contract("get", "/business", {
    summary: "The business as shoppers see it",
    access: publishableKey,
    answer: PublicBusiness,
  }),
  (c) => c.json(answer(viewPublicBusiness(keyed(c).business)), 200),
);
