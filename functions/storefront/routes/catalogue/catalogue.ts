import { createRoutes } from "../../../http/app.ts";
import { serveFromCache } from "../../cache/cached-responses.ts";
import type { StorefrontBindings } from "../../env.ts";
import { catalogueAttributes } from "./attributes.ts";
import { catalogueBillingPlans } from "./billing-plans.ts";
import { catalogueBundlesAndComposites } from "./bundles-and-composites.ts";
import { catalogueCategories } from "./categories.ts";
import { catalogueCollections } from "./collections.ts";
import { catalogueDeals } from "./deals.ts";
import { catalogueProducts } from "./products.ts";
import { catalogueQuotes } from "./quotes.ts";
import { catalogueSchedules } from "./schedules.ts";

/** The catalogue's routes, whose responses are cached. */
export const catalogue = createRoutes<StorefrontBindings>();

catalogue.get("/catalogue/*", serveFromCache);
catalogue.route("/", catalogueProducts);
catalogue.route("/", catalogueSchedules);
catalogue.route("/", catalogueBillingPlans);
catalogue.route("/", catalogueAttributes);
catalogue.route("/", catalogueCategories);
catalogue.route("/", catalogueCollections);
catalogue.route("/", catalogueDeals);
catalogue.route("/", catalogueBundlesAndComposites);
catalogue.route("/", catalogueQuotes);
