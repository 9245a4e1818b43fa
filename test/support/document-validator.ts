import { z } from "zod";
import {
  createOperationFinder,
  type MediaTypeContent,
  type OpenApiDocument,
} from "./document-operations.ts";
import { toStrictSchema } from "./strict-schema.ts";

export type ReceivedResponse = Readonly<{
  method: string;
  path: string;
  status: number;
  headers: Pick<Headers, "get">;
  /** Parsed if its type is JSON. */
  body: unknown;
}>;

/**
 * Checks responses and events against OpenAPI documents: their status and media type must be
 * documented, and their body must match the schema without any further field. The schema of an
 * error lists its codes, and that of a 422 its rules.
 */
export function createDocumentValidator(documents: readonly OpenApiDocument[]) {
  const findOperation = createOperationFinder(documents);
  const schemas = new WeakMap<MediaTypeContent, z.ZodType>();

  function schemaFor(content: MediaTypeContent, document: OpenApiDocument): z.ZodType {
    const cached = schemas.get(content);
    if (cached) return cached;
    const schema = z.fromJSONSchema(
      toStrictSchema(content.schema ?? {}, document.components.schemas ?? {}),
    );
    schemas.set(content, schema);
    return schema;
  }

  return {
    /** @throws Error naming the operation and the field. */
    assertResponse({ method, path, status, headers, body }: ReceivedResponse): void {
      const operation = findOperation(method, path);
      if (!operation || status === 304) return; // pages, files and the documents themselves
      const { id, responses, document } = operation;
      const response = responses[status];
      if (!response) throw new Error(`${id} responds ${status}, which is not documented`);
      const type = headers.get("Content-Type");
      if (type === null && !response.content) return;
      const content = response.content?.[type?.split(";")[0] ?? ""];
      if (!content) throw new Error(`${id} responds ${status} as ${type}, which is not documented`);
      const violation = isJson(type) ? describeViolation(schemaFor(content, document), body) : null;
      if (violation !== null)
        throw new Error(
          `${id} responds ${status} with a body that is not documented: ${violation}`,
        );
    },

    /**
     * Checks the body of a webhook delivery.
     *
     * @throws Error naming the event and the field.
     */
    assertEvent(body: unknown): void {
      const { type } = Object(body);
      for (const document of documents) {
        const content = document.webhooks?.[type]?.post?.requestBody?.content?.["application/json"];
        if (!content) continue;
        const violation = describeViolation(schemaFor(content, document), body);
        if (violation === null) return;
        throw new Error(`The event ${type} does not match its document: ${violation}`);
      }
      throw new Error(`The event ${type} is not documented`);
    },
  };
}

export type DocumentValidator = ReturnType<typeof createDocumentValidator>;

const isJson = (type: string | null): boolean => type?.startsWith("application/json") ?? false;

function describeViolation(schema: z.ZodType, body: unknown): string | null {
  const result = schema.safeParse(body);
  if (result.success) return null;
  const [issue] = result.error.issues;
  const inner = issue?.code === "invalid_union" ? deepestIssue(issue.errors.flat()) : undefined;
  const path = [...(issue?.path ?? []), ...(inner?.path ?? [])].join(".");
  return `${path}: ${(inner ?? issue)?.message}`;
}

/** The issue with the longest path: it is of the union's option that matched furthest. */
const deepestIssue = (issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue | undefined =>
  issues.toSorted((a, b) => b.path.length - a.path.length)[0];
