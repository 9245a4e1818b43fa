import { area } from "../../../http/app.ts";
import { fromMemory } from "../../cached-read.ts";
import { catalogueAttributes } from "./attributes.ts";
import { catalogueBillingPlans } from "./billing-plans.ts";
import { catalogueCategories } from "./categories.ts";
import { catalogueCollections } from "./collections.ts";
import { catalogueDeals } from "./deals.ts";
import { catalogueDefinitions } from "./definitions.ts";
import { catalogueProducts } from "./products.ts";
import { catalogueQuotes } from "./quotes.ts";
import { catalogueSchedules } from "./schedules.ts";

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
