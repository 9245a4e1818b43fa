import type { Db } from "../database/index.ts";
import type { Runtime } from "../kernel/index.ts";

/** The context of a person's own calls at the console; `core` is CORE's primary copy. */
export type ConsoleContext = Runtime & Readonly<{ core: Db }>;
