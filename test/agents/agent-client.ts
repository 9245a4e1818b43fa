import { exports } from "cloudflare:workers";
import type { TestPlatform } from "./platform.ts";

export const origin = "https://duka.example";

export type AgentResponse = Readonly<{
  status: number;
  /** As parsed; a test reads fields that the schemas of the protocol have checked. */
  body: ReturnType<typeof Object>;
  headers: Headers;
}>;

/** Calls the protocol over REST as a platform. */
export type AgentClient = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<AgentResponse>;

export const agentClient =
  (shop: Readonly<{ business: { slug: string } }>, platform: TestPlatform): AgentClient =>
  async (method, path, body, headers = {}) => {
    const response = await exports.default.fetch(
      new Request(`${origin}/agents/${shop.business.slug}/ucp${path}`, {
        method,
        headers: {
          ...platform.headers,
          ...(body !== undefined && { "Content-Type": "application/json" }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
      }),
    );
    return {
      status: response.status,
      body: Object(await response.json()),
      headers: response.headers,
    };
  };
