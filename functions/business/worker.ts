import { surface } from "../http/app.ts";
import type { About } from "../http/openapi.ts";
import { inSections, type Section, section } from "../http/sections.ts";
import { businessOfPath } from "./business-of-path.ts";
import type { BusinessBindings } from "./env.ts";

const prefix = "/v1/businesses";

const sections: readonly Section<BusinessBindings>[] = [
  section([""], async (app) => {
    app.route("/", (await import("./routes/settings/operator.ts")).operatorRoutes);
    app.route("/", (await import("./routes/settings/business.ts")).business);
  }),
  section(["move"], async (app) =>
    app.route("/", (await import("./routes/settings/moves.ts")).moves),
  ),
  section(["organizations"], async (app) =>
    app.route("/", (await import("./routes/settings/organization-keys.ts")).organizationKeys),
  ),
  section(["keys"], async (app) =>
    app.route("/", (await import("./routes/settings/keys.ts")).keys),
  ),
  section(["locations"], async (app) =>
    app.route("/", (await import("./routes/settings/locations.ts")).locations),
  ),
  section(["audit"], async (app) =>
    app.route("/", (await import("./routes/settings/audit.ts")).audit),
  ),
  section(["products"], async (app) =>
    app.route("/", (await import("./routes/catalogue/products.ts")).products),
  ),
  section(["categories"], async (app) =>
    app.route("/", (await import("./routes/catalogue/categories.ts")).categories),
  ),
  section(["collections"], async (app) =>
    app.route("/", (await import("./routes/catalogue/collections.ts")).collections),
  ),
  section(["attributes"], async (app) =>
    app.route("/", (await import("./routes/catalogue/attributes.ts")).attributes),
  ),
  section(["billing-plans"], async (app) =>
    app.route("/", (await import("./routes/catalogue/billing-plans.ts")).billingPlans),
  ),
  section(["bundles"], async (app) =>
    app.route("/", (await import("./routes/catalogue/bundles.ts")).bundles),
  ),
  section(["composites"], async (app) =>
    app.route("/", (await import("./routes/catalogue/composites.ts")).composites),
  ),
  section(["deals"], async (app) =>
    app.route("/", (await import("./routes/catalogue/deals.ts")).deals),
  ),
  section(["inventory"], async (app) =>
    app.route("/", (await import("./routes/inventory.ts")).inventory),
  ),
  section(["orders"], async (app) =>
    app.route("/", (await import("./routes/orders/orders.ts")).orders),
  ),
  section(["subscriptions"], async (app) =>
    app.route("/", (await import("./routes/orders/subscriptions.ts")).subscriptions),
  ),
  section(["customers"], async (app) =>
    app.route("/", (await import("./routes/orders/customers.ts")).customers),
  ),
  section(["reports"], async (app) =>
    app.route("/", (await import("./routes/orders/reports.ts")).reports),
  ),
  section(["conversations"], async (app) =>
    app.route("/", (await import("./routes/conversations.ts")).conversations),
  ),
  section(["services"], async (app) =>
    app.route("/", (await import("./routes/scheduling/services.ts")).services),
  ),
  section(["bookings"], async (app) =>
    app.route("/", (await import("./routes/scheduling/bookings.ts")).bookings),
  ),
  section(["staff"], async (app) =>
    app.route("/", (await import("./routes/scheduling/staff.ts")).staff),
  ),
  section(["resources"], async (app) =>
    app.route("/", (await import("./routes/scheduling/resources.ts")).resources),
  ),
  section(["imports", "exports"], async (app) =>
    app.route("/", (await import("./routes/catalogue/transfer.ts")).transfer),
  ),
  section(["assets"], async (app) => app.route("/", (await import("./routes/assets.ts")).assets)),
];

/** The word behind the business's id; none for the business itself and for all of them. */
function wordOf(path: string): string {
  const [, , collection = "", , word = ""] = path.split("/");
  return collection === "organizations" ? collection : word;
}

const newApp = () =>
  surface<BusinessBindings>({ wantedBusiness: businessOfPath, limitsAddresses: true });

const about: About<BusinessBindings> = {
  prefix,
  title: "Duka for businesses",
  description: "The merchant's and the operator's calls.",
};

export default inSections({ about, sections, wordOf, newApp });
