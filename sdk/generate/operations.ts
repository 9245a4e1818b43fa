import { type ApiName, loadDocuments } from "../../scripts/openapi/load-documents.ts";

type Schema = Readonly<{
  $ref?: string;
  enum?: readonly string[];
  anyOf?: readonly Schema[];
  properties?: Readonly<Record<string, Schema>>;
}>;

type Response = Readonly<{
  content?: Readonly<Record<string, Readonly<{ schema: Schema }>>>;
}>;

type DocumentOperation = Readonly<{
  operationId: string;
  tags: readonly [string, ...string[]];
  summary: string;
  description?: string;
  security?: readonly Readonly<Record<string, unknown>>[];
  parameters?: readonly Readonly<{ name: string; in: string; required?: boolean }>[];
  requestBody?: Readonly<{ required?: boolean; content: Readonly<Record<string, unknown>> }>;
  responses: Readonly<Record<string, Response>>;
  "x-pagination"?: string;
  "x-websocket"?: unknown;
}>;

/** An OpenAPI document, as far as the client is generated from it. */
export type OpenApiDocument = Readonly<{
  paths: Readonly<Record<string, Readonly<Record<string, DocumentOperation>>>>;
  components: Readonly<{ schemas: Readonly<Record<string, Schema>> }>;
}>;

/** An operation with its place in the document. */
export type ApiOperation = DocumentOperation &
  Readonly<{ api: ApiName; method: string; path: string }>;

export type Documents = Readonly<Record<ApiName, OpenApiDocument>>;

export async function readDocuments(): Promise<Documents> {
  const { storefront, link, business } = await loadDocuments();
  return {
    storefront: JSON.parse(storefront),
    link: JSON.parse(link),
    business: JSON.parse(business),
  };
}

const providerWebhooks = ["receivePaystackWebhook", "receiveProviderWebhook"];

/**
 * The operations of a document that a client calls. Providers call their webhooks, and sockets are
 * opened by `connect`.
 */
export const listOperations = (api: ApiName, { paths }: OpenApiDocument): ApiOperation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .map(([method, operation]) => ({ ...operation, api, method: method.toUpperCase(), path }))
      .filter((operation) => operation["x-websocket"] === undefined)
      .filter(({ operationId }) => !providerWebhooks.includes(operationId)),
  );

export const takes = ({ security = [] }: ApiOperation, credential: string): boolean =>
  security.some((alternative) => credential in alternative);

/** The rules that may forbid a call, in the order of the document. */
export function listRules({ responses }: ApiOperation, { components }: OpenApiDocument): string[] {
  const { schema } = responses["422"]?.content?.["application/json"] ?? {};
  const schemas = schema?.anyOf ?? (schema ? [schema] : []);
  return schemas.flatMap(({ $ref }) => {
    const named = components.schemas[$ref?.split("/").at(-1) ?? ""];
    return named?.properties?.error?.properties?.context?.properties?.rule?.enum ?? [];
  });
}
