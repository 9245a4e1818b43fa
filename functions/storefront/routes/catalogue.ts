import { area } from "../../http/app.ts";
import { fromMemory } from "../cached-read.ts";
import { catalogueCategories } from "./catalogue-categories.ts";
import { catalogueDefinitions } from "./catalogue-definitions.ts";
import { catalogueProducts } from "./catalogue-products.ts";

/** The catalogue's rows; what was read before is answered ahead of them. */
export const catalogue = area();

catalogue.get("/catalogue/*", fromMemory);
catalogue.route("/", catalogueProducts);
catalogue.route("/", catalogueCategories);
catalogue.route("/", catalogueDefinitions);
