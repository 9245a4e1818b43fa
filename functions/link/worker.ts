import { surface } from "../http/app.ts";
import { documents } from "../http/documents.ts";
import { keyTextOfLink } from "./elements/access.ts";
import type { LinkBindings } from "./env.ts";
import { addresses } from "./routes/addresses.ts";
import { auth } from "./routes/auth.ts";
import { data } from "./routes/data.ts";
import { elements } from "./routes/elements.ts";
import { enrolment } from "./routes/enrolment.ts";
import { mobileMoney } from "./routes/mobile-money.ts";
import { sessions } from "./routes/sessions.ts";

const prefix = "/v1/link";

const app = surface<LinkBindings>({ keyText: keyTextOfLink(prefix), limitsAddresses: true });

documents(app, {
  prefix,
  title: "Duka Link",
  description: "A customer's saved data across businesses.",
});

app.route(prefix, auth);
app.route(prefix, elements);
app.route(prefix, enrolment);
app.route(prefix, data);
app.route(prefix, addresses);
app.route(prefix, mobileMoney);
app.route(prefix, sessions);

export default app;
