import { z } from "zod";
import { type Content, type Document, rowsOf } from "./published-rows.ts";
import { strictly } from "./strict-schema.ts";

export type Answered = Readonly<{
  method: string;
  path: string;
  status: number;
  headers: Pick<Headers, "get">;
  /** As JSON, where its type is that. */
  body: unknown;
}>;

/**
 * What the service publishes of itself, to hold it to: the status must be written down, the type of
 * the body as well, the body must parse, and no field may come that is not written down.
 */
export function published(documents: readonly Document[]) {
  const rowAt = rowsOf(documents);
  const schemas = new WeakMap<Content, z.ZodType>();

  function schemaOf(content: Content, document: Document): z.ZodType {
    const known = schemas.get(content);
    if (known) return known;
    const made = z.fromJSONSchema(
      strictly(content.schema ?? {}, document.components.schemas ?? {}),
    );
    schemas.set(content, made);
    return made;
  }

  return {
    /** @throws Error naming the operation and the field. */
    demandAnswer({ method, path, status, headers, body }: Answered): void {
      const row = rowAt(method, path);
      if (!row || status === 304) return; // pages, files, the documents themselves
      const { id, responses, document } = row;
      const response = responses[status] ?? (status < 400 ? undefined : responses.default);
      if (!response) throw new Error(`${id} answers ${status}, which its document does not know`);
      const type = headers.get("Content-Type");
      if (type === null && !response.content) return;
      const content = response.content?.[type?.split(";")[0] ?? ""];
      if (!content) throw new Error(`${id} answers ${status} as ${type}, which is not documented`);
      const problem = isJson(type) ? problemOf(schemaOf(content, document), body) : null;
      if (problem !== null)
        throw new Error(`${id} answers ${status} otherwise than documented: ${problem}`);
    },

    /** A webhook's body, as a receiver has it. @throws as above. */
    demandEvent(body: unknown): void {
      const { type } = Object(body);
      for (const document of documents) {
        const content = document.webhooks?.[type]?.post?.requestBody?.content?.["application/json"];
        if (!content) continue;
        const problem = problemOf(schemaOf(content, document), body);
        if (problem === null) return;
        throw new Error(`The event ${type} is otherwise than documented: ${problem}`);
      }
      throw new Error(`The event ${type} is in no document`);
    },
  };
}

export type Published = ReturnType<typeof published>;

const isJson = (type: string | null): boolean => type?.startsWith("application/json") ?? false;

function problemOf(schema: z.ZodType, body: unknown): string | null {
  const result = schema.safeParse(body);
  if (result.success) return null;
  const [issue] = result.error.issues;
  const inner = issue?.code === "invalid_union" ? deepest(issue.errors.flat()) : undefined;
  const path = [...(issue?.path ?? []), ...(inner?.path ?? [])].join(".");
  return `${path}: ${(inner ?? issue)?.message}`;
}

/** Of a union's complaints the one that got furthest: the others are of options that were not meant. */
const deepest = (issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue | undefined =>
  issues.toSorted((one, other) => other.path.length - one.path.length)[0];
