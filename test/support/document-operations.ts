import type { JsonSchema } from "./strict-schema.ts";

export type MediaTypeContent = Readonly<{ schema?: JsonSchema }>;

type ContentByMediaType = Readonly<{ content?: Readonly<Record<string, MediaTypeContent>> }>;

type ResponsesByStatus = Readonly<Record<string, ContentByMediaType>>;

/** A response, or a reference to one of the components. */
type ResponseOrReference = ContentByMediaType & Readonly<{ $ref?: string }>;

/** The parts of an OpenAPI 3.1 document that describe responses and webhooks. */
export type OpenApiDocument = Readonly<{
  paths: Readonly<
    Record<
      string,
      Readonly<
        Record<string, Readonly<{ responses: Readonly<Record<string, ResponseOrReference>> }>>
      >
    >
  >;
  webhooks?: Readonly<
    Record<string, Readonly<{ post?: Readonly<{ requestBody?: ContentByMediaType }> }>>
  >;
  components: Readonly<{
    schemas?: Readonly<Record<string, JsonSchema>>;
    responses?: ResponsesByStatus;
  }>;
}>;

/** One operation of the documents. */
type DocumentedOperation = Readonly<{
  /** "METHOD path", as documented. */
  id: string;
  method: string;
  segments: readonly string[];
  /** By status. */
  responses: ResponsesByStatus;
  document: OpenApiDocument;
}>;

/** Finds the operation of a request; of several that match, the one with the fewest parameters. */
export function createOperationFinder(
  documents: readonly OpenApiDocument[],
): (method: string, path: string) => DocumentedOperation | undefined {
  const operations = documents.flatMap((document) =>
    Object.entries(document.paths).flatMap(([path, byMethod]) =>
      Object.entries(byMethod).map(([name, { responses }]): DocumentedOperation => {
        const method = name.toUpperCase();
        return {
          id: `${method} ${path}`,
          method,
          segments: path.split("/"),
          responses: Object.fromEntries(
            Object.entries(responses).map(([status, one]) => [status, resolve(one, document)]),
          ),
          document,
        };
      }),
    ),
  );
  return (method, path) => {
    const segments = path.split("?")[0]?.split("/") ?? [];
    if (undocumentedEndpoints.includes(segments.at(-1) ?? "")) return undefined;
    return operations
      .filter(
        (operation) => operation.method === method && matchesTemplate(operation.segments, segments),
      )
      .toSorted((a, b) => countParameters(a) - countParameters(b))[0];
  };
}

function resolve({ $ref, ...response }: ResponseOrReference, { components }: OpenApiDocument) {
  return components.responses?.[$ref?.split("/").at(-1) ?? ""] ?? response;
}

/** Endpoints of every API that no document lists; a template could take their name for an id. */
const undocumentedEndpoints: readonly string[] = ["openapi.json", "healthz"];

const matchesTemplate = (template: readonly string[], segments: readonly string[]): boolean =>
  template.length === segments.length &&
  template.every((part, index) => part.startsWith("{") || part === segments[index]);

const countParameters = ({ segments }: DocumentedOperation) =>
  segments.filter((part) => part.startsWith("{")).length;
