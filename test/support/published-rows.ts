import type { Schema } from "./strict-schema.ts";

export type Content = Readonly<{ schema?: Schema }>;

type Contents = Readonly<{ content?: Readonly<Record<string, Content>> }>;

type Responses = Readonly<Record<string, Contents>>;

/** Of an OpenAPI 3.1 document, what is answered and what is sent. */
export type Document = Readonly<{
  paths: Readonly<Record<string, Readonly<Record<string, Readonly<{ responses: Responses }>>>>>;
  webhooks?: Readonly<Record<string, Readonly<{ post?: Readonly<{ requestBody?: Contents }> }>>>;
  components: Readonly<{ schemas?: Readonly<Record<string, Schema>> }>;
}>;

/** One call: what it may answer, by status ("default" for every refusal). */
type Row = Readonly<{
  /** "METHOD path", as the documents have it. */
  id: string;
  method: string;
  segments: readonly string[];
  responses: Responses;
  document: Document;
}>;

/** The row that a call is of; where two fit, the one that names more of the path. */
export function rowsOf(
  documents: readonly Document[],
): (method: string, path: string) => Row | undefined {
  const rows = documents.flatMap((document) =>
    Object.entries(document.paths).flatMap(([path, calls]) =>
      Object.entries(calls).map(([name, { responses }]): Row => {
        const method = name.toUpperCase();
        return { id: `${method} ${path}`, method, segments: path.split("/"), responses, document };
      }),
    ),
  );
  return (method, path) => {
    const segments = path.split("?")[0]?.split("/") ?? [];
    if (besides.includes(segments.at(-1) ?? "")) return undefined;
    return rows
      .filter((row) => row.method === method && fits(row.segments, segments))
      .toSorted((one, other) => parameters(one) - parameters(other))[0];
  };
}

/** What every surface has besides its rows; a business's id could stand in their place. */
const besides: readonly string[] = ["openapi.json", "healthz"];

const fits = (template: readonly string[], segments: readonly string[]): boolean =>
  template.length === segments.length &&
  template.every((part, at) => part.startsWith("{") || part === segments[at]);

const parameters = ({ segments }: Row) => segments.filter((part) => part.startsWith("{")).length;
