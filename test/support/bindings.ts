import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import worker from "./worker.ts";
import type { CallOptions } from "./world.ts";

/** The `fetch` option of a call that replaces some bindings of the Worker. */
export const withBindings =
  (bindings: object): NonNullable<CallOptions["fetch"]> =>
  async (request) => {
    const ctx = createExecutionContext();
    const response = await worker.fetch(request, { ...env, ...bindings }, ctx);
    await waitOnExecutionContext(ctx);
    return response;
  };
