import { OpenAPIHono } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import { createMeter, type Meter } from "../../shared/database/index.ts";
import { invalidFields } from "../../shared/kernel/index.ts";
import type { ApiBindings } from "../runtime/bindings.ts";
import { runtime } from "../runtime/runtime.ts";
import { settingsOf } from "../runtime/settings.ts";
import { issuesOf } from "../wire/validation-issues.ts";
import { identifyCaller, readApiKey } from "./authentication/access.ts";
import type { ApiApp, ApiEnv, RequestContext, RequestVariables } from "./context.ts";
import { discardUnreadBody } from "./discard-body.ts";
import { onError, onNotFound } from "./errors.ts";
import { cors, readRequestId, writeResponseHeaders } from "./headers.ts";
import {
  type ApiDescription,
  builtInPaths,
  mountDocuments,
  renderDocument,
} from "./openapi/documents.ts";
import {
  assertUnauthenticatedWithinLimit,
  enforceRateLimits,
  type LimitRules,
} from "./rate-limits/rate-limit.ts";
import { reportRequest } from "./request-log.ts";

/** Creates an app for one section of the contract. The section's routes are chained on it. */
export const createRoutes = <B extends ApiBindings = ApiBindings>() =>
  new OpenAPIHono<ApiEnv<B>>({
    defaultHook: (result) => {
      if (!result.success) throw invalidFields(issuesOf(result.error.issues, result.target));
    },
  });

/** Reads the id of the business that a request names. Null when the request names none. */
type ReadBusinessId = (c: RequestContext) => string | null;

const readBusinessIdHeader: ReadBusinessId = (c) => c.req.header("x-business-id") ?? null;

/** Reads the API key that a request carries. Null when the request carries none. */
type ReadKey = (c: RequestContext) => string | null;

/** Creates the app of an API with the middleware that every request passes. */
export function createApi<B extends ApiBindings = ApiBindings>({
  readBusinessId = readBusinessIdHeader,
  readKey = readApiKey,
  hasAddressLimit = false,
  unknownInput = "ignored",
  limits = {},
  countsRequests = true,
  takesConsoleCookie = () => false,
}: {
  readBusinessId?: ReadBusinessId;
  readKey?: ReadKey;
  /**
   * Whether the deployment limits the requests of each client network. The limit of each key
   * applies in addition.
   */
  hasAddressLimit?: boolean;
  unknownInput?: RequestVariables["unknownInput"];
  limits?: LimitRules;
  /**
   * Whether each request is counted here. Otherwise the routes count those that they do not pass on
   * to an API, which counts them itself.
   */
  countsRequests?: boolean;
  /** Whether a member may make the call with the console's cookie. */
  takesConsoleCookie?: TakesConsoleCookie;
} = {}) {
  const enforceLimits = enforceRateLimits(limits);
  const app = createRoutes<B>();
  app.onError(onError);
  app.notFound(onNotFound);
  app.use(
    prepareRequest({
      hasAddressLimit,
      unknownInput,
      dispatch: (c, request) => app.fetch(request, c.env, c.executionCtx),
    }),
    cors,
    identify({ readBusinessId, readKey, takesConsoleCookie }),
    (c, next) => (countsRequests && !isPartOfOther(c.req.raw) ? enforceLimits(c, next) : next()),
  );
  return app;
}

/** The meters of calls that read a record by a request of their own, which counts as part of them. */
const meterByRequest = new WeakMap<Request, Meter>();
const isPartOfOther = (request: Request): boolean => meterByRequest.has(request);

const prepareRequest = ({
  hasAddressLimit,
  unknownInput,
  dispatch,
}: {
  hasAddressLimit: boolean;
  unknownInput: RequestVariables["unknownInput"];
  /** Runs another request of the same caller. */
  dispatch: (c: RequestContext, request: Request) => Promise<Response> | Response;
}): MiddlewareHandler<ApiEnv> =>
  async function prepareRequest(c, next) {
    const receivedAt = runtime.now();
    const settings = settingsOf(c.env);
    c.set("requestId", readRequestId(c.req.raw));
    c.set("receivedAt", receivedAt);
    c.set("meter", meterByRequest.get(c.req.raw) ?? createMeter());
    c.set("batchGuard", null);
    c.set("idempotencyMark", null);
    c.set("rate", null);
    c.set("isOperator", false);
    c.set("linkSession", null);
    c.set("consoleSession", null);
    c.set("settings", settings);
    c.set("unknownInput", unknownInput);
    c.set("warning", null);
    c.set("readRecord", async () => {
      const request = createReadRequest(c.req.raw);
      meterByRequest.set(request, c.get("meter"));
      return dispatch(c, request);
    });
    c.set("addressPerSecond", hasAddressLimit ? settings.requestsPerSecondPerAddress : null);
    await next();
    writeResponseHeaders(c);
    if (!isPartOfOther(c.req.raw)) await reportRequest(c, runtime.now() - receivedAt);
  };

/** The GET of the same address, by the same caller. */
function createReadRequest({ url, headers }: Request): Request {
  const { origin, pathname } = new URL(url);
  const request = new Request(origin + pathname, { headers });
  for (const name of ["content-length", "content-type", "transfer-encoding"])
    request.headers.delete(name);
  return request;
}

type TakesConsoleCookie = (c: RequestContext) => boolean;

const identify = ({
  readBusinessId,
  readKey,
  takesConsoleCookie,
}: {
  readBusinessId: ReadBusinessId;
  readKey: ReadKey;
  takesConsoleCookie: TakesConsoleCookie;
}): MiddlewareHandler<ApiEnv> =>
  async function identify(c, next) {
    const caller = await identifyCaller(c, {
      keyText: readKey(c),
      businessId: readBusinessId(c),
      assertLookupAllowed: () => assertUnauthenticatedWithinLimit(c),
      takesConsoleCookie: takesConsoleCookie(c),
    });
    c.set("caller", caller);
    await next();
  };

/**
 * The routes of one section, selected by a path segment. The first request imports and mounts a
 * section, so that a starting Worker does not build schemas that it does not need yet.
 */
export type Section<B extends ApiBindings> = Readonly<{
  pathSegments: readonly string[];
  mount: (app: ApiApp<B>) => Promise<unknown>;
}>;

export const section = <B extends ApiBindings>(
  pathSegments: readonly string[],
  mount: Section<B>["mount"],
): Section<B> => ({ pathSegments, mount });

/** Returns the path segment after the prefix, or the first segment when the prefix is missing. */
function segmentAfter(prefix: string): (path: string) => string {
  const depth = prefix.split("/").length;
  return (path) => path.split("/")[path.startsWith(`${prefix}/`) ? depth : 1] ?? "";
}

/**
 * Creates an API with an OpenAPI document. Each section of routes is an app of its own that is
 * built once.
 */
export function createSectionedApi<B extends ApiBindings>({
  description,
  sections,
  pathSegmentOf = segmentAfter(description.prefix),
  newApp,
}: {
  description: ApiDescription<B>;
  sections: readonly Section<B>[];
  /**
   * Returns the segment of a path that selects its section. The default is the one after the
   * prefix.
   */
  pathSegmentOf?: (path: string) => string;
  /** Creates an app with the middleware that every request passes. */
  newApp: () => ApiApp<B>;
}) {
  const sectionBySegment = new Map(
    sections.flatMap((entry) => entry.pathSegments.map((segment) => [segment, entry] as const)),
  );
  const appBySection = new Map<Section<B>, ApiApp<B>>();
  const builtIn: ReadonlySet<string> = new Set(builtInPaths(description));
  const fallbackApp = newApp();
  mountDocuments(fallbackApp, { description, buildWholeApp });

  /** One app with all routes, from which the OpenAPI document is made. */
  async function buildWholeApp(): Promise<ApiApp<B>> {
    const app = newApp();
    for (const { mount } of sections) await mount(app);
    return app;
  }

  /**
   * Returns the app that serves a path. Concurrent requests may each build the app, because a
   * shared promise would fail when the request that created it is cancelled.
   */
  async function loadApp(path: string): Promise<ApiApp<B>> {
    const entry = builtIn.has(path) ? undefined : sectionBySegment.get(pathSegmentOf(path));
    if (!entry) return fallbackApp;
    const existing = appBySection.get(entry);
    if (existing) return existing;
    const app = newApp();
    await entry.mount(app);
    appBySection.set(entry, app);
    return app;
  }

  return {
    async fetch(request: Request, env: B, ctx: ExecutionContext): Promise<Response> {
      const app = await loadApp(new URL(request.url).pathname);
      const response = await app.fetch(request, env, ctx);
      await discardUnreadBody(request);
      return response;
    },
    buildWholeApp,
    renderDocument: () => renderDocument(description, buildWholeApp),
  };
}
