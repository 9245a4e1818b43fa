import { createRoute, z } from "@hono/zod-openapi";
import { createRoutes } from "../../../http/app.ts";
import { operator } from "../../../http/authentication/access.ts";
import { countObjectCall } from "../../../http/context.ts";
import { route } from "../../../http/contract.ts";
import { handOverSums } from "../../../runtime/metrics/hand-over.ts";
import { openMetrics } from "../../../runtime/metrics/metrics-object.ts";
import { renderMetrics } from "../../views/settings/metrics-text.ts";

const summary = "Read the deployment's metrics";

/** What all Workers have counted, for Prometheus (docs/contract/operator.md#metrics). */
export const metrics = createRoutes().openapi(
  createRoute({
    ...route("get", "/v1/operator/metrics", {
      operationId: "getMetrics",
      tag: "Operators",
      summary,
      access: operator,
      response: z.string(),
    }),
    responses: {
      200: { description: summary, content: { "text/plain": { schema: z.string() } } },
    },
  }),
  async (c) => {
    if (c.get("settings").metricsIntervalMs > 0) await countObjectCall(c, handOverSums(c.env)); // what this isolate knows is not left out
    const { series } = await countObjectCall(c, openMetrics(c.env.METRICS).read());
    const contentType = "text/plain; version=0.0.4; charset=utf-8";
    return c.text(renderMetrics(series), 200, { "Content-Type": contentType });
  },
);
