import { methodNameOf } from "./method-names.ts";
import {
  type ApiOperation,
  type Documents,
  listOperations,
  listRules,
  type OpenApiDocument,
  takes,
} from "./operations.ts";

/** Operations of one address, which become one table of routes. */
type Part = Readonly<{
  /** The name of the table and of the interface: `storefront` gives `storefrontRoutes`. */
  name: string;
  /** Removed from the paths; the client puts its own in front. */
  prefix: string;
  document: OpenApiDocument;
  operations: readonly ApiOperation[];
}>;

const header =
  "// Generated from the OpenAPI document by `npm run generate`. Not edited by hand.\n";

const consolePrefix = "/v1/console";

/** The files with each client's routes and the interface of its methods. */
export function renderMethods(documents: Documents): Record<string, string> {
  const storefront = listOperations("storefront", documents.storefront);
  const business = listOperations("business", documents.business);
  const part = (
    name: string,
    api: keyof Documents,
    operations: ApiOperation[],
    prefix: string,
  ) => ({
    name,
    prefix,
    document: documents[api],
    operations,
  });
  // Webhooks are part of the storefront API and need the merchant's secret key.
  const isWebhook = (operation: ApiOperation) => takes(operation, "secretKey");
  const isOperators = (operation: ApiOperation) => takes(operation, "operatorToken");
  const isBusinesses = (operation: ApiOperation) =>
    takes(operation, "secretKey") || takes(operation, "deployKey");
  const isConsoles = ({ path }: ApiOperation) => path.startsWith(consolePrefix);
  const shoppers = storefront.filter((operation) => !isWebhook(operation));
  return {
    "storefront.ts": renderFile(part("storefront", "storefront", shoppers, "/api/v1")),
    "link.ts": renderFile(part("link", "link", listOperations("link", documents.link), "/v1/link")),
    "business.ts": renderFile(
      part("business", "business", business.filter(isBusinesses), "/v1/businesses/{business_id}"),
    ),
    "webhooks.ts": renderFile(
      part("webhook", "storefront", storefront.filter(isWebhook), "/api/v1"),
    ),
    "console.ts": renderFile(
      part("console", "business", business.filter(isConsoles), consolePrefix),
    ),
    "operator.ts": renderFile(part("operator", "business", business.filter(isOperators), "")),
  };
}

function renderFile({ name, prefix, document, operations }: Part): string {
  const groups = Map.groupBy(operations, (operation) => methodNameOf(operation).group);
  const routes = [...groups].map(
    ([group, members]) =>
      `  ${group}: {\n${members.map((member) => `    ${methodNameOf(member).name}: ${JSON.stringify(routeOf(member, prefix))},\n`).join("")}  },\n`,
  );
  const members = [...groups].map(
    ([group, members]) =>
      `  readonly ${group}: Readonly<{\n${members.map((member) => renderMethod(member, document, prefix)).join("")}  }>;\n`,
  );
  const [{ api } = { api: name }] = operations;
  const title = name[0]?.toUpperCase() + name.slice(1);
  const body = `export const ${name}Routes = {\n${routes.join("")}} as const;\n\nexport interface ${title}Methods {\n${members.join("")}}\n`;
  const helpers = ["CallOptions", "DataOf", "InputOf", "ItemOf", "List", "Result"].filter((type) =>
    new RegExp(`\\b${type}\\b[<)]`).test(body),
  );
  return `${header}\nimport type { ${helpers.join(", ")} } from "../runtime/types.ts";\nimport type { operations } from "./${api}-types.ts";\n\n${body}`;
}

/** The operation as text that `parseRoute` reads. */
function routeOf(operation: ApiOperation, prefix: string): string {
  const { method, parameters = [], requestBody, path } = operation;
  const queryNames = parameters.filter((one) => one.in === "query").map((one) => one.name);
  const body = bodyFlagOf(operation);
  const listed = queryNames.filter((name) => requestBody !== undefined || name === "token");
  const query = queryNames.length > 0 ? `?${listed.join(",")}` : "";
  const flags = [
    body,
    parameters.some(({ name }) => name === "Idempotency-Key") && "key",
    isOfSession(operation) && "session",
    pagingOf(operation),
  ].filter((flag) => typeof flag === "string");
  return [method, path.slice(prefix.length).replace(/\{\w+\}/g, "{}") + query, ...flags].join(" ");
}

const isOfSession = (operation: ApiOperation) =>
  takes(operation, "sessionToken") || takes(operation, "linkSession");

function bodyFlagOf({ requestBody }: ApiOperation): string | undefined {
  const types = Object.keys(requestBody?.content ?? {});
  if (types.includes("text/csv")) return "csv";
  if (types.includes("application/x-ndjson")) return "ndjson";
  if (types.includes("multipart/form-data")) return "form";
  return types.length > 0 ? "body" : undefined;
}

/** How a list is read on. A list by number or offset is read by offset where it takes one. */
function pagingOf({ "x-pagination": paging, parameters = [] }: ApiOperation): string | undefined {
  if (paging !== "page") return paging;
  return parameters.some(({ name }) => name === "offset") ? "offset" : "page";
}

function renderMethod(operation: ApiOperation, document: OpenApiDocument, prefix: string): string {
  const { name } = methodNameOf(operation);
  const type = `operations["${operation.operationId}"]`;
  const pathParameters = [...operation.path.slice(prefix.length).matchAll(/\{(\w+)\}/g)].map(
    ([, parameter = ""]) => `${snakeToCamel(parameter)}: string`,
  );
  const parameters = [...pathParameters, ...inputOf(operation, type), "options?: CallOptions"];
  const answer = operation["x-pagination"]
    ? `List<ItemOf<${type}>, DataOf<${type}>>`
    : `Promise<Result<DataOf<${type}>>>`;
  return `${renderComment(operation, document)}    ${name}: (${parameters.join(", ")}) => ${answer};\n`;
}

function inputOf(operation: ApiOperation, type: string): string[] {
  const { parameters = [], "x-pagination": paging } = operation;
  const fields = parameters.filter((one) => one.in === "query");
  switch (bodyFlagOf(operation)) {
    case "csv":
      return [`input: { file: string | Blob; dry_run?: boolean }`];
    case "ndjson":
      return ["input: { file: string | Blob }"];
    case "form":
      return [`input: { file: Blob; is_primary?: boolean }`];
    case "body":
      return [`input${isOptional(operation) ? "?" : ""}: InputOf<${type}>`];
    default: {
      const takesNumber = paging === "page" ? " & { readonly cursor?: string }" : "";
      if (fields.length === 0) return [];
      return [`input${isOptional(operation) ? "?" : ""}: InputOf<${type}>${takesNumber}`];
    }
  }
}

function isOptional({ parameters = [], requestBody }: ApiOperation): boolean {
  const needsQuery = parameters.some((one) => one.in === "query" && one.required === true);
  return !needsQuery && !(requestBody?.required ?? false);
}

function renderComment(operation: ApiOperation, document: OpenApiDocument): string {
  const { summary, description } = operation;
  const rules = listRules(operation, document);
  const lines = [
    `${summary}.`,
    ...(description ? ["", ...description.split("\n")] : []),
    ...(rules.length > 0
      ? ["", `@throws BusinessRuleError with the rule ${rules.join(", ")}.`]
      : []),
  ];
  return `    /**\n${lines.map((line) => `     * ${line.replaceAll("*/", "*\\/")}`.trimEnd()).join("\n")}\n     */\n`;
}

const snakeToCamel = (name: string) =>
  name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
