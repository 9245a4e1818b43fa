import { OpenAPIHono } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import { allInvalid, createMeter } from "../../shared/kernel/index.ts";
import { chance } from "../runtime/runtime.ts";
import { settingsOf } from "../runtime/settings.ts";
import { issuesOf } from "../wire/validation-issues.ts";
import type { RequestContext, SurfaceBindings, SurfaceEnv } from "./api-env.ts";
import { identify, keyTextOf } from "./authentication/caller.ts";
import { cors } from "./cors.ts";
import { onError, onNotFound } from "./errors.ts";
import { demandStrangersRoom, rateLimit } from "./rate-limits/rate-limit.ts";
import { logRequest } from "./request-log.ts";
import { requestIdOf, writeAnswerHeaders } from "./response-headers.ts";

/** One section of the contract: its rows are chained on it. */
export const area = <B extends SurfaceBindings = SurfaceBindings>() =>
  new OpenAPIHono<SurfaceEnv<B>>({
    defaultHook: (result) => {
      if (!result.success) throw allInvalid(issuesOf(result.error.issues, result.target));
    },
  });

/** The business that a request names; a key that does not serve it is 403 (completions.md 2). */
type WantedBusiness = (c: RequestContext) => string | null;

const businessOfHeader: WantedBusiness = (c) => c.req.header("x-business-id") ?? null;

/** Where a request's key stands. */
type KeyText = (c: RequestContext) => string | null;

/** A whole surface: what happens to each request before its row and after it. */
export function surface<B extends SurfaceBindings = SurfaceBindings>({
  wantedBusiness = businessOfHeader,
  keyText = keyTextOf,
  limitsAddresses = false,
}: {
  wantedBusiness?: WantedBusiness;
  keyText?: KeyText;
  /** Whether an address has a limit of the deployment's, beside the businesses' own (completions.md 15). */
  limitsAddresses?: boolean;
} = {}) {
  const app = area<B>();
  app.onError(onError);
  app.notFound(onNotFound);
  app.use(prepare({ limitsAddresses }), cors, caller({ wantedBusiness, keyText }), rateLimit);
  return app;
}

const prepare = ({
  limitsAddresses,
}: {
  limitsAddresses: boolean;
}): MiddlewareHandler<SurfaceEnv> =>
  async function prepare(c, next) {
    const startedAt = chance.now();
    const settings = settingsOf(c.env);
    c.set("requestId", requestIdOf(c.req.raw));
    c.set("meter", createMeter());
    c.set("gate", null);
    c.set("seal", null);
    c.set("rate", null);
    c.set("linkSession", null);
    c.set("settings", settings);
    c.set("addressPerSecond", limitsAddresses ? settings.requestsPerSecondPerAddress : null);
    await next();
    writeAnswerHeaders(c);
    if (settings.logsRequests) logRequest(c, chance.now() - startedAt);
  };

const caller = (of: {
  wantedBusiness: WantedBusiness;
  keyText: KeyText;
}): MiddlewareHandler<SurfaceEnv> =>
  async function caller(c, next) {
    const named = { keyText: of.keyText(c), wantedBusiness: of.wantedBusiness(c) };
    const admit = () => demandStrangersRoom(c);
    c.set("caller", await identify(c, { ...named, admit }));
    await next();
  };
