import { createApi, createSectionedApi, type Section, section } from "../http/app.ts";
import type { ApiDescription } from "../http/openapi/documents.ts";
import { createKeyReader } from "./elements/access.ts";
import type { LinkBindings } from "./env.ts";

const prefix = "/v1/link";

const sections: readonly Section<LinkBindings>[] = [
  section(["auth"], async (app) => app.route(prefix, (await import("./routes/auth.ts")).auth)),
  section(["elements"], async (app) =>
    app.route(prefix, (await import("./routes/elements.ts")).elements),
  ),
  section(["check-status", "enroll", "enroll-and-link-order"], async (app) =>
    app.route(prefix, (await import("./routes/enrolment.ts")).enrolment),
  ),
  section(["data", "preferences"], async (app) =>
    app.route(prefix, (await import("./routes/data.ts")).data),
  ),
  section(["addresses"], async (app) =>
    app.route(prefix, (await import("./routes/addresses.ts")).addresses),
  ),
  section(["mobile-money"], async (app) =>
    app.route(prefix, (await import("./routes/mobile-money.ts")).mobileMoney),
  ),
  section(["contacts"], async (app) =>
    app.route(prefix, (await import("./routes/contacts.ts")).contacts),
  ),
  section(["pending-details"], async (app) =>
    app.route(prefix, (await import("./routes/pending-details.ts")).pendingDetails),
  ),
  section(["platforms"], async (app) =>
    app.route(prefix, (await import("./routes/platforms.ts")).platforms),
  ),
  section(["sessions"], async (app) =>
    app.route(prefix, (await import("./routes/sessions.ts")).sessions),
  ),
];

const createLinkApp = () =>
  createApi<LinkBindings>({ readKey: createKeyReader(prefix), hasAddressLimit: true });

const description: ApiDescription<LinkBindings> = {
  prefix,
  loadDescription: async () => (await import("./document.ts")).documentDescription,
};

export default createSectionedApi({ description, sections, newApp: createLinkApp });
