import type { Context } from "../database/index.ts";
import type { FxProvider } from "./provider.ts";

/** What exchange may reach: its quotes through the database, rates through the business's provider. */
export type FxContext = Context & Readonly<{ fx: FxProvider }>;
