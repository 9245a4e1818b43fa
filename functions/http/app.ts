import { OpenAPIHono } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import { createMeter, invalidFields } from "../../shared/kernel/index.ts";
import type { ApiBindings } from "../runtime/bindings.ts";
import { runtime } from "../runtime/runtime.ts";
import { settingsOf } from "../runtime/settings.ts";
import { issuesOf } from "../wire/validation-issues.ts";
import type { ApiEnv, RequestContext } from "./api-env.ts";
import { identifyCaller, readApiKey } from "./authentication/caller.ts";
import { cors } from "./cors.ts";
import { onError, onNotFound } from "./errors.ts";
import { assertUnauthenticatedWithinLimit, enforceRateLimits } from "./rate-limits/rate-limit.ts";
import { logRequest } from "./request-log.ts";
import { readRequestId, writeResponseHeaders } from "./response-headers.ts";

/** An app for the routes of one section of the contract, which are chained on it. */
export const createRoutes = <B extends ApiBindings = ApiBindings>() =>
  new OpenAPIHono<ApiEnv<B>>({
    defaultHook: (result) => {
      if (!result.success) throw invalidFields(issuesOf(result.error.issues, result.target));
    },
  });

/** The business that a request names; null without one. */
type ReadBusinessId = (c: RequestContext) => string | null;

const readBusinessIdHeader: ReadBusinessId = (c) => c.req.header("x-business-id") ?? null;

/** The API key that a request carries; null without one. */
type ReadKey = (c: RequestContext) => string | null;

/** The app of a whole API: the middleware that every request passes, in order. */
export function createApi<B extends ApiBindings = ApiBindings>({
  readBusinessId = readBusinessIdHeader,
  readKey = readApiKey,
  hasAddressLimit = false,
}: {
  readBusinessId?: ReadBusinessId;
  readKey?: ReadKey;
  /**
   * Whether the deployment limits each client network, in addition to the businesses' own limits.
   */
  hasAddressLimit?: boolean;
} = {}) {
  const app = createRoutes<B>();
  app.onError(onError);
  app.notFound(onNotFound);
  app.use(
    prepareRequest({ hasAddressLimit }),
    cors,
    identify({ readBusinessId, readKey }),
    enforceRateLimits,
  );
  return app;
}

const prepareRequest = ({
  hasAddressLimit,
}: {
  hasAddressLimit: boolean;
}): MiddlewareHandler<ApiEnv> =>
  async function prepareRequest(c, next) {
    const startedAt = runtime.now();
    const settings = settingsOf(c.env);
    c.set("requestId", readRequestId(c.req.raw));
    c.set("meter", createMeter());
    c.set("batchGuard", null);
    c.set("idempotencyMark", null);
    c.set("rate", null);
    c.set("linkSession", null);
    c.set("settings", settings);
    c.set("addressPerSecond", hasAddressLimit ? settings.requestsPerSecondPerAddress : null);
    await next();
    writeResponseHeaders(c);
    if (settings.logsRequests) logRequest(c, runtime.now() - startedAt);
  };

const identify = ({
  readBusinessId,
  readKey,
}: {
  readBusinessId: ReadBusinessId;
  readKey: ReadKey;
}): MiddlewareHandler<ApiEnv> =>
  async function identify(c, next) {
    const caller = await identifyCaller(c, {
      keyText: readKey(c),
      businessId: readBusinessId(c),
      assertLookupAllowed: () => assertUnauthenticatedWithinLimit(c),
    });
    c.set("caller", caller);
    await next();
  };
