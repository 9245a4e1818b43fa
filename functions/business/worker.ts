import { surface } from "../http/app.ts";
import type { About } from "../http/documents.ts";
import { inSections, type Section, section } from "../http/sections.ts";
import { businessOfPath } from "./business-of-path.ts";
import type { BusinessBindings } from "./env.ts";

const prefix = "/v1/businesses";

const sections: readonly Section<BusinessBindings>[] = [
  section([""], async (app) => {
    app.route("/", (await import("./routes/operator.ts")).operatorRoutes);
    app.route("/", (await import("./routes/business.ts")).business);
  }),
  section(["move"], async (app) => app.route("/", (await import("./routes/moves.ts")).moves)),
  section(["organizations"], async (app) =>
    app.route("/", (await import("./routes/organization-keys.ts")).organizationKeys),
  ),
  section(["keys"], async (app) => app.route("/", (await import("./routes/keys.ts")).keys)),
  section(["locations"], async (app) =>
    app.route("/", (await import("./routes/locations.ts")).locations),
  ),
  section(["audit"], async (app) => app.route("/", (await import("./routes/audit.ts")).audit)),
  section(["products"], async (app) =>
    app.route("/", (await import("./routes/products.ts")).products),
  ),
  section(["categories"], async (app) =>
    app.route("/", (await import("./routes/categories.ts")).categories),
  ),
  section(["collections"], async (app) =>
    app.route("/", (await import("./routes/collections.ts")).collections),
  ),
  section(["attributes"], async (app) =>
    app.route("/", (await import("./routes/attributes.ts")).attributes),
  ),
  section(["billing-plans"], async (app) =>
    app.route("/", (await import("./routes/billing-plans.ts")).billingPlans),
  ),
  section(["bundles"], async (app) =>
    app.route("/", (await import("./routes/bundles.ts")).bundles),
  ),
  section(["composites"], async (app) =>
    app.route("/", (await import("./routes/composites.ts")).composites),
  ),
  section(["deals"], async (app) => app.route("/", (await import("./routes/deals.ts")).deals)),
  section(["inventory"], async (app) =>
    app.route("/", (await import("./routes/inventory.ts")).inventory),
  ),
  section(["orders"], async (app) => app.route("/", (await import("./routes/orders.ts")).orders)),
  section(["subscriptions"], async (app) =>
    app.route("/", (await import("./routes/subscriptions.ts")).subscriptions),
  ),
  section(["customers"], async (app) =>
    app.route("/", (await import("./routes/customers.ts")).customers),
  ),
  section(["reports"], async (app) =>
    app.route("/", (await import("./routes/reports.ts")).reports),
  ),
  section(["conversations"], async (app) =>
    app.route("/", (await import("./routes/conversations.ts")).conversations),
  ),
  section(["services"], async (app) =>
    app.route("/", (await import("./routes/services.ts")).services),
  ),
  section(["bookings"], async (app) =>
    app.route("/", (await import("./routes/bookings.ts")).bookings),
  ),
  section(["staff"], async (app) => app.route("/", (await import("./routes/staff.ts")).staff)),
  section(["resources"], async (app) =>
    app.route("/", (await import("./routes/resources.ts")).resources),
  ),
  section(["imports", "exports"], async (app) =>
    app.route("/", (await import("./routes/transfer.ts")).transfer),
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
