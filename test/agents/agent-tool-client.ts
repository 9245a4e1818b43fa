import { expect } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { ApiResponse } from "../support/world.ts";
import { postMessage, rpcRequest } from "./mcp-client.ts";
import type { TestPlatform } from "./platform.ts";

/** The address of a shop's tools. */
export const toolsPath = ({ business }: Pick<CreatedBusiness, "business">): string =>
  `/agents/${business.slug}/ucp/mcp`;

/** What a call says of its platform. */
export const metaOf = ({ profileUrl }: Pick<TestPlatform, "profileUrl">, key?: string) => ({
  "ucp-agent": { profile: profileUrl },
  ...(key !== undefined && { "idempotency-key": key }),
});

/** Calls a tool of a shop; `id` is the one of JSON-RPC. */
export const callAgentTool = (
  shop: CreatedBusiness,
  name: string,
  input: object,
  {
    headers = {},
    id = 1,
  }: Readonly<{ headers?: Readonly<Record<string, string>>; id?: number }> = {},
): Promise<ApiResponse> =>
  postMessage(toolsPath(shop), rpcRequest("tools/call", { name, arguments: input }, id), {
    headers,
  });

/** What a tool answered with, as structured content and as text. */
export function contentOf({ status, body }: ApiResponse) {
  const { result } = Object(body);
  if (status !== 200 || result === undefined) throw new Error(JSON.stringify(body));
  expect(JSON.parse(result.content[0].text)).toEqual(result.structuredContent);
  expect(result).not.toHaveProperty("isError");
  return result.structuredContent;
}
