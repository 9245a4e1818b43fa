import type { KeyScope } from "../../../shared/businesses/index.ts";
import type { McpTool } from "../mcp/mcp-server.ts";
import { isRecord } from "../mcp/rpc-message.ts";
import {
  type ApiDocument,
  type ApiParameter,
  type ApiSchema,
  type DocumentedOperation,
  resolveSchema,
} from "./api-document.ts";

/** A tool and the call of the business API that it makes. */
export type MerchantTool = Readonly<{
  tool: McpTool;
  method: string;
  /** The path with its parameters in braces. */
  path: string;
  pathParameters: readonly string[];
  queryParameters: readonly string[];
  takesBody: boolean;
  /** What a key needs for the call. */
  scope: KeyScope;
  /** Whether every member may make the call, in any role. */
  isForEveryMember: boolean;
  section: string;
  /** Whether every call of the tool has to be confirmed. */
  isAlwaysConfirmed: boolean;
  /** The path of the record that a call would change, where it can be read. */
  recordPath: string | null;
}>;

const businessPath = "/v1/businesses/{business_id}";
export const businessParameter = "business_id";

/** Calls that move money or cannot be taken back, in addition to every DELETE. */
export const confirmedOperations: readonly string[] = [
  "refundOrder",
  "markRefundPaid",
  "markOrderPaid",
  "cancelOrder",
  "cancelBooking",
  "cancelSubscription",
];

/** The statuses that take something away when a call sets them. */
const finalStatuses: readonly unknown[] = ["cancelled", "archived"];

/** Whether a call has to be confirmed because of the status that it sets. */
export const setsFinalStatus = (body: unknown): boolean =>
  isRecord(body) && finalStatuses.includes(body.status);

/**
 * Scopes of calls that have no tool, because they decide who may do what, or carry secrets that
 * must not pass through a model. The console makes these calls.
 */
const scopesWithoutTools = /^(?:keys:|members:|providers:|\*)/;
/** A ticket opens a socket, which no tool can use. */
const operationsWithoutTools: readonly string[] = ["createSocketTicket"];

/** The tools of the business API: one for each call of a business that takes and gives JSON. */
export const createMerchantTools = (document: ApiDocument): MerchantTool[] =>
  Object.entries(document.paths)
    .filter(([path]) => path.startsWith(businessPath))
    .flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, operation]) => {
        const scope = scopeOf(operation);
        return scope !== null && hasTool(operation, scope)
          ? [createTool(document, { path, method: method.toUpperCase(), operation, scope })]
          : [];
      }),
    );

/** The scope that a secret key needs; null for calls that take no secret key. */
function scopeOf({ security = [] }: DocumentedOperation): KeyScope | null {
  const scopes = security.find((way) => "secretKey" in way)?.secretKey;
  // Safe: the document's scopes are those of the routes, which are typed.
  return (scopes?.[0] as KeyScope | undefined) ?? null;
}

function hasTool(
  { operationId, requestBody, responses }: DocumentedOperation,
  scope: KeyScope,
): boolean {
  if (scopesWithoutTools.test(scope) || operationsWithoutTools.includes(operationId)) return false;
  const success = Object.entries(responses).find(([status]) => status.startsWith("2"))?.[1];
  return (
    success?.content?.["application/json"] !== undefined &&
    (requestBody === undefined || requestBody.content["application/json"] !== undefined)
  );
}

type PlacedOperation = Readonly<{
  path: string;
  method: string;
  operation: DocumentedOperation;
  scope: KeyScope;
}>;

function createTool(document: ApiDocument, placed: PlacedOperation): MerchantTool {
  const { path, method, operation, scope } = placed;
  const { operationId, summary, description, parameters = [] } = operation;
  const body = bodySchema(document, operation);
  const isAlwaysConfirmed = method === "DELETE" || confirmedOperations.includes(operationId);
  const isDestructive = isAlwaysConfirmed || maySetFinalStatus(body);
  const isRead = scope.endsWith(":read");
  const named = parameters.filter(({ name }) => name !== businessParameter);
  return {
    tool: {
      name: operationId,
      title: summary,
      description: [
        `${summary}.`,
        ...(description === undefined ? [] : [description]),
        ...(isDestructive ? [confirmationHint(isAlwaysConfirmed)] : []),
      ].join(" "),
      inputSchema: inputSchema(document, { parameters: named, body, isDestructive, isRead }),
      annotations: {
        title: summary,
        readOnlyHint: isRead,
        destructiveHint: isDestructive,
        idempotentHint: isRead || ["PUT", "PATCH", "DELETE"].includes(method),
        openWorldHint: false,
      },
    },
    method,
    path,
    pathParameters: named.filter((one) => one.in === "path").map(({ name }) => name),
    queryParameters: named.filter((one) => one.in === "query").map(({ name }) => name),
    takesBody: body !== null,
    scope,
    isForEveryMember: (operation.security ?? []).some(
      ({ consoleSession }) => consoleSession?.length === 0,
    ),
    section: sectionName(operation.tags[0] ?? ""),
    isAlwaysConfirmed,
    recordPath: isDestructive ? recordPathOf(document, path) : null,
  };
}

/** The name of a section in an address, such as `tax` or `customer-groups`. */
const sectionName = (tag: string): string => tag.toLowerCase().replaceAll(" ", "-");

const confirmationHint = (isAlwaysConfirmed: boolean): string =>
  `${isAlwaysConfirmed ? "A call" : "A call with the status cancelled or archived"} does nothing at first: it says what would happen and returns a confirmation. Show this to the user, and call again with the same input and the confirmation once the user agrees.`;

function bodySchema(document: ApiDocument, { requestBody }: DocumentedOperation): ApiSchema | null {
  const schema = requestBody?.content["application/json"]?.schema;
  return schema === undefined ? null : resolveSchema(document, schema);
}

const maySetFinalStatus = (body: ApiSchema | null): boolean =>
  finalStatuses.some((status) => body?.properties?.status?.enum?.includes(status) ?? false);

/** Parameters are fields of the input beside `body`, because a body may have fields of their names. */
function inputSchema(
  document: ApiDocument,
  {
    parameters,
    body,
    isDestructive,
    isRead,
  }: Readonly<{
    parameters: readonly ApiParameter[];
    body: ApiSchema | null;
    isDestructive: boolean;
    isRead: boolean;
  }>,
): object {
  const inAddress = parameters.filter((one) => one.in !== "header");
  return {
    type: "object",
    properties: {
      ...Object.fromEntries(
        inAddress.map(({ name, description, schema }) => [
          name,
          { ...resolveSchema(document, schema), ...(description !== undefined && { description }) },
        ]),
      ),
      ...(body !== null && { body }),
      ...(!isRead && { idempotency_key: idempotencyKeySchema }),
      ...(isDestructive && { confirmation: confirmationSchema }),
    },
    required: [
      ...inAddress.filter(({ required }) => required).map(({ name }) => name),
      ...(body === null ? [] : ["body"]),
    ],
    additionalProperties: false,
  };
}

const idempotencyKeySchema = {
  type: "string",
  minLength: 1,
  maxLength: 255,
  description: "A text of your choice for one logical attempt: a repeat with it changes nothing.",
};

const confirmationSchema = {
  type: "string",
  description: "The confirmation of the first answer, once the user agrees. Left out at first.",
};

/** The longest part of the path that names a record that can be read. */
function recordPathOf({ paths }: ApiDocument, path: string): string | null {
  for (let part = path; part !== businessPath && part !== ""; part = part.replace(/\/[^/]*$/, ""))
    if (part.endsWith("}") && paths[part]?.get !== undefined) return part;
  return null;
}
