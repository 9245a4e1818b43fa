import { area } from "../../http/app.ts";
import { fromMemory } from "../cached-read.ts";
import { catalogueAttributes } from "./catalogue-attributes.ts";
import { catalogueBillingPlans } from "./catalogue-billing-plans.ts";
import { catalogueCategories } from "./catalogue-categories.ts";
import { catalogueCollections } from "./catalogue-collections.ts";
import { catalogueDeals } from "./catalogue-deals.ts";
import { catalogueDefinitions } from "./catalogue-definitions.ts";
import { catalogueProducts } from "./catalogue-products.ts";
import { catalogueQuotes } from "./catalogue-quotes.ts";
import { catalogueSchedules } from "./catalogue-schedules.ts";

/** The catalogue's rows; what was read before is answered ahead of them. */
export const catalogue = area();

catalogue.get("/catalogue/*", fromMemory);
catalogue.route("/", catalogueProducts);
catalogue.route("/", catalogueSchedules);
catalogue.route("/", catalogueBillingPlans);
catalogue.route("/", catalogueAttributes);
catalogue.route("/", catalogueCategories);
catalogue.route("/", catalogueCollections);
catalogue.route("/", catalogueDeals);
catalogue.route("/", catalogueDefinitions);
catalogue.route("/", catalogueQuotes);
