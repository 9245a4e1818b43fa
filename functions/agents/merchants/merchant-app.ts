import type { Context } from "hono";
import { hasScope } from "../../../shared/businesses/index.ts";
import { findRefusal, Refusal, second, stackOf } from "../../../shared/kernel/index.ts";
import { createApi } from "../../http/app.ts";
import { callerId, callerScopes, type IdentifiedCaller } from "../../http/authentication/caller.ts";
import { maxJsonBytes, receiveBody } from "../../http/bodies.ts";
import { type ApiEnv, requireCaller } from "../../http/context.ts";
import { BodyTooLarge, BodyTooSlow, statusOf, unauthorized } from "../../http/errors.ts";
import { assertWithinLimits } from "../../http/rate-limits/rate-limit.ts";
import { log } from "../../runtime/log.ts";
import { runtime } from "../../runtime/runtime.ts";
import { version } from "../../runtime/version.ts";
import type { AgentsBindings } from "../env.ts";
import { type McpServer, type RpcFailure, toolError } from "../mcp/mcp-server.ts";
import { hasOwnOrigin } from "../mcp/origin-check.ts";
import { invalidParams, RpcError, rpcCodes } from "../mcp/rpc-error.ts";
import { serveMcp } from "../mcp/serve-mcp.ts";
import { callMerchantTool } from "./call-merchant-tool.ts";
import { loadMerchantTools, toolsTtlMs } from "./load-merchant-tools.ts";
import type { MerchantTool } from "./merchant-tool.ts";

type MerchantContext = Context<ApiEnv<AgentsBindings>>;

const info = { name: "duka-merchants", title: "Duka for merchants", version };

const instructions =
  "Tools for one business: its orders, products, stock, customers and settings. Amounts are decimal text, such as 12.50. Lists come in pages: pass next_cursor as cursor. A tool that refunds, cancels, archives or removes does nothing at first and returns a confirmation: show the user what would happen, and call again with the confirmation only when the user agrees.";

/** The tools of merchants over the business API (docs/mcp.md). */
export const merchantApp = createApi<AgentsBindings>({
  hasAddressLimit: true,
  countsRequests: false,
  takesConsoleCookie: () => true,
});

merchantApp.onError((error, c) => {
  const failure = toRpcError(error, c.get("requestId"));
  const body = { jsonrpc: "2.0", error: failure.toBody() };
  return new Response(JSON.stringify(body), {
    status: failure.status,
    headers: { ...failure.headers, "Content-Type": "application/json" },
  });
});

merchantApp.use(
  "/mcp",
  async function admitMerchant(c, next) {
    if (!hasOwnOrigin(c.req.raw, c.get("settings").publicUrl)) {
      await assertWithinLimits(c);
      throw new RpcError(403, "Pages of other origins must not call this address.", {
        status: 403,
      });
    }
    const caller = c.get("caller");
    if (caller.type === "unauthenticated" || !isForMerchants(caller)) await assertWithinLimits(c);
    if (!isForMerchants(requireCaller(c))) throw unauthorized("This address takes a secret key.");
    return next();
  },
  receiveBody({ maxBytes: maxJsonBytes, message: "The body is larger than 1 MiB." }),
);

merchantApp.all("/mcp", (c) => serveMcp(c.req.raw, createMerchantServer(c, requireCaller(c))));

const isForMerchants = (caller: IdentifiedCaller): boolean =>
  caller.type === "member" || caller.key.kind === "secret";

function createMerchantServer(c: MerchantContext, caller: IdentifiedCaller): McpServer {
  const loadTools = () =>
    loadMerchantTools(c.env.BUSINESS, (work) => c.executionCtx.waitUntil(work));
  return {
    info,
    instructions,
    // Which tools there are follows from the caller's scopes.
    listCaching: { ttlMs: toolsTtlMs, cacheScope: "private" },
    async listTools(cursor) {
      await assertWithinLimits(c);
      if (cursor !== null) throw invalidParams("The list has one page; leave cursor out.");
      const sections = sectionsOf(c.req.query("sections"));
      const tools = [...(await loadTools()).values()];
      return {
        tools: tools
          .filter((tool) => mayCall(caller, tool) && (sections?.includes(tool.section) ?? true))
          .map(({ tool }) => tool),
      };
    },
    async callTool(name, input) {
      const tool = (await loadTools()).get(name);
      if (tool === undefined || !mayCall(caller, tool)) await assertWithinLimits(c);
      if (tool === undefined) return null;
      if (!mayCall(caller, tool))
        return toolError(`The caller lacks the scope ${tool.scope}, which ${name} needs.`);
      return callMerchantTool(
        {
          businessId: caller.business.id,
          callerId: callerId(caller),
          request: c.req.raw,
          requestId: c.get("requestId"),
          business: c.env.BUSINESS,
          secret: c.get("settings").sessionSecret,
          now: runtime.now(),
        },
        tool,
        input,
      );
    },
    toRpcError: (error) => toRpcError(error, c.get("requestId")),
  };
}

/** The sections whose tools the caller wants to see, for models that bear only a few tools. */
const sectionsOf = (text: string | undefined): readonly string[] | null =>
  text === undefined ? null : text.split(",").map((name) => name.trim().toLowerCase());

const mayCall = (caller: IdentifiedCaller, { scope, isForEveryMember }: MerchantTool): boolean =>
  (caller.type === "member" && isForEveryMember) || hasScope(callerScopes(caller), scope);

/** The error of JSON-RPC for what a request failed with. Codes of refusals are their HTTP statuses. */
function toRpcError(error: unknown, requestId: string): RpcFailure {
  if (error instanceof RpcError) return error;
  if (error instanceof BodyTooLarge || error instanceof BodyTooSlow)
    return new RpcError(rpcCodes.invalidRequest, error.message, {
      status: error instanceof BodyTooLarge ? 413 : 408,
    });
  const refusal = error instanceof Refusal ? error : findRefusal(error);
  if (refusal === null) {
    log("error", "request failed", { request_id: requestId, route: "/mcp", stack: stackOf(error) });
    return new RpcError(rpcCodes.internalError, "Something failed on our side; try again.", {
      status: 500,
    });
  }
  const status = statusOf(refusal);
  return new RpcError(status, refusal.message, {
    status,
    headers: headersOf(refusal, status),
    data: { code: refusal.code, ...refusal.toData().context },
  });
}

function headersOf(refusal: Refusal, status: number): Record<string, string> {
  if (status === 401) return { "WWW-Authenticate": 'Bearer realm="duka"' };
  const waitMs = refusal.toData().context?.retry_after_ms;
  return waitMs === undefined ? {} : { "Retry-After": String(Math.ceil(waitMs / second)) };
}
