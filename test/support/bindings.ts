import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import worker from "./worker.ts";
import type { CallOptions } from "./world.ts";

/** A deployment like the tests' own, of which some bindings are others: who answers a `call`. */
export const withBindings =
  (over: object): NonNullable<CallOptions["by"]> =>
  async (request) => {
    const ctx = createExecutionContext();
    const response = await worker.fetch(request, { ...env, ...over }, ctx);
    await waitOnExecutionContext(ctx);
    return response;
  };
