import { type ConsoleMethods, consoleRoutes } from "./generated/console.ts";
import { createMethods } from "./runtime/methods.ts";
import type { ClientOptions } from "./runtime/types.ts";

export type Console = ConsoleMethods;

/**
 * A client of the login at the console, for pages of the service's host. The browser keeps the
 * cookie, with which `createBusiness({ credentials: "cookie", … })` works then.
 */
export const createConsole = (options: ClientOptions): Console =>
  createMethods<ConsoleMethods>(
    { options, prefix: "/v1/console", caller: { headers: () => ({}), usesCookie: true } },
    consoleRoutes,
  );

export * from "./runtime/errors.ts";
export type { CallOptions, List, Page, Result } from "./runtime/types.ts";
