import { z } from "@hono/zod-openapi";
import business from "../../functions/business/worker.ts";
import link from "../../functions/link/worker.ts";
import storefront from "../../functions/storefront/worker.ts";

/** One call of the documents: what it may answer, by status ("default" for every refusal). */
type Operation = Readonly<{
  id: string;
  method: string;
  segments: readonly string[];
  answers: Readonly<Record<string, Documented>>;
}>;

type Documented = Readonly<{
  content?: Readonly<Record<string, { schema?: unknown } | undefined>>;
}>;

type Answered = Readonly<{ method: string; path: string; status: number; body: unknown }>;

const surfaces = await Promise.all([storefront.whole(), link.whole(), business.whole()]);

const operations: readonly Operation[] = surfaces.flatMap(({ openAPIRegistry }) =>
  openAPIRegistry.definitions.flatMap((definition) =>
    definition.type === "route" ? [operationOf(definition.route)] : [],
  ),
);

/**
 * Holds an answer against the row of the documents that it answers: its status must be there, its
 * body must parse, and no field may come that is not written down.
 *
 * @throws Error naming the operation and the field.
 */
export function demandDocumented(answered: Answered): void {
  const operation = operationAt(answered.method, answered.path);
  if (!operation) return; // pages, files, the documents themselves
  const { status, body } = answered;
  if (status === 304) return;
  const documented = operation.answers[String(status)] ?? operation.answers.default;
  if (!documented || (status < 400 && documented === operation.answers.default))
    throw new Error(`${operation.id} answers ${status}, which its document does not know`);
  const schema = documented.content?.["application/json"]?.schema;
  if (!(schema instanceof z.ZodType)) return;
  const result = strict(schema).safeParse(body);
  if (result.success) return;
  const [first] = result.error.issues;
  throw new Error(
    `${operation.id} answers ${status} otherwise than documented: ${describe(first)}`,
  );
}

function operationOf({
  method,
  path,
  responses,
}: Readonly<{ method: string; path: string; responses: object }>): Operation {
  return {
    id: `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    segments: path.split("/"),
    answers: Object(responses),
  };
}

/** The row of a path; where two fit, the one that names more of it. */
function operationAt(method: string, path: string): Operation | undefined {
  const segments = path.split("?")[0]?.split("/") ?? [];
  if (besides.includes(segments.at(-1) ?? "")) return undefined;
  return operations
    .filter((operation) => operation.method === method && fits(operation.segments, segments))
    .toSorted((one, other) => parameters(one) - parameters(other))[0];
}

/** What every surface has besides its rows; a business's id could stand in their place. */
const besides: readonly string[] = ["openapi.json", "healthz"];

const fits = (template: readonly string[], segments: readonly string[]): boolean =>
  template.length === segments.length &&
  template.every((part, at) => part.startsWith("{") || part === segments[at]);

const parameters = ({ segments }: Operation) =>
  segments.filter((part) => part.startsWith("{")).length;

function describe(issue: z.core.$ZodIssue | undefined): string {
  if (!issue) return "it does not parse";
  const inner = issue.code === "invalid_union" ? deepest(issue.errors.flat()) : undefined;
  const found = inner ?? issue;
  return `${[...issue.path, ...(inner?.path ?? [])].join(".")}: ${found.message}`;
}

/** Of a union's complaints the one that got furthest: the others are of options that were not meant. */
const deepest = (issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue | undefined =>
  issues.toSorted((one, other) => other.path.length - one.path.length)[0];

const stricter = new WeakMap<z.core.$ZodType, z.ZodType>();

/** As the schema, but a field that it does not name is a complaint and not let go. */
function strict(schema: z.core.$ZodType): z.ZodType {
  const known = stricter.get(schema);
  if (known) return known;
  const made = madeStrict(schema);
  stricter.set(schema, made);
  return made;
}

function madeStrict(schema: z.core.$ZodType): z.ZodType {
  if (schema instanceof z.ZodObject) {
    const shape = Object.entries(schema.shape).map(([name, field]) => [name, strict(field)]);
    const { catchall = z.never() } = schema.def;
    return schema.clone({ ...schema.def, shape: Object.fromEntries(shape), catchall });
  }
  if (schema instanceof z.ZodArray)
    return schema.clone({ ...schema.def, element: strict(schema.def.element) });
  if (schema instanceof z.ZodOptional)
    return schema.clone({ ...schema.def, innerType: strict(schema.def.innerType) });
  if (schema instanceof z.ZodNullable)
    return schema.clone({ ...schema.def, innerType: strict(schema.def.innerType) });
  if (schema instanceof z.ZodUnion)
    return schema.clone({
      ...schema.def,
      options: schema.def.options.map((option) => strict(option)),
    });
  if (schema instanceof z.ZodIntersection) return z.intersection(schema.def.left, schema.def.right);
  if (schema instanceof z.ZodType) return schema;
  throw new Error("Not a schema of zod's classic face");
}
