import openapiTS, { astToString } from "openapi-typescript";
import ts from "typescript";
import type { Documents, OpenApiDocument } from "./operations.ts";

const header =
  "// Generated from the OpenAPI document by `npm run generate`. Not edited by hand.\n\n";

/** The files with the types of each API's records and operations, as openapi-typescript writes them. */
export async function renderTypes(documents: Documents): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const [api, document] of Object.entries(documents)) {
    const nodes = await openapiTS(JSON.stringify(withoutErrors(document)), {
      defaultNonNullable: false, // a field with a default may be left out of a request
      emptyObjectsUnknown: true,
      immutable: true,
    });
    // The events of webhooks are the same in each document that lists them.
    const unused = ["paths", "$defs", ...(api === "storefront" ? [] : ["webhooks"])];
    const kept = nodes.filter((node) => !isNamed(node, unused));
    files[`${api}-types.ts`] = header + astToString(kept);
  }
  return files;
}

const isNamed = (node: ts.Node, names: readonly string[]): boolean =>
  (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) &&
  names.includes(node.name.text);

/**
 * The document without errors and headers, for which the client has classes, and without the recorded
 * examples, which the reference shows.
 */
function withoutErrors({ components: { schemas }, ...document }: OpenApiDocument): unknown {
  const paths = mapValues(document.paths, (methods) =>
    mapValues(methods, (operation) => ({
      ...operation,
      ...(operation.requestBody && {
        requestBody: {
          ...operation.requestBody,
          content: withoutExamples(operation.requestBody.content),
        },
      }),
      parameters: operation.parameters?.filter((parameter) => parameter.in !== "header"),
      responses: Object.fromEntries(
        Object.entries(operation.responses)
          .filter(([status]) => status.startsWith("2"))
          .map(([status, { content }]) => [
            status,
            { description: "", ...(content && { content: withoutExamples(content) }) },
          ]),
      ),
    })),
  );
  const records = Object.entries(schemas).filter(([name]) => !name.endsWith("Error"));
  return { ...document, paths, components: { schemas: Object.fromEntries(records) } };
}

const withoutExamples = (content: Readonly<Record<string, unknown>>) =>
  mapValues(content, (media) => ({ ...Object(media), example: undefined }));

const mapValues = <A, B>(record: Readonly<Record<string, A>>, change: (value: A) => B) =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
