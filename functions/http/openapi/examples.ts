import type { GeneratedDocument, GeneratedOperation } from "./complete-operations.ts";

/** The body of a request and of its successful response. CSV is a text. */
type OperationExample = Readonly<{ request?: unknown; response?: unknown }>;

/** Recorded calls by operationId. `npm run openapi:examples` writes them. */
export type OperationExamples = Readonly<Record<string, OperationExample>>;

type BodyByType = Readonly<{ content?: Readonly<Record<string, object>> }>;

/** Adds the recorded request and response to each operation. */
export const withExamples = <D extends GeneratedDocument>(
  document: D,
  examples: OperationExamples,
): D => ({
  ...document,
  paths: mapValues(document.paths, (methods) =>
    mapValues(methods, (operation) =>
      withExample(operation, examples[operation.operationId ?? ""] ?? {}),
    ),
  ),
});

function withExample(
  operation: GeneratedOperation,
  { request, response }: OperationExample,
): GeneratedOperation {
  const { requestBody, responses = {} } = operation;
  return {
    ...operation,
    ...(requestBody && { requestBody: withBodyExample(requestBody, request) }),
    responses: mapValues(responses, (message, status) =>
      status === "200" || status === "201" ? withBodyExample(message, response) : message,
    ),
  };
}

/** Adds the example to the media type that it has: a text is CSV, anything else is JSON. */
function withBodyExample<M extends BodyByType>(message: M, example: unknown): M {
  const type = typeof example === "string" ? "text/csv" : "application/json";
  const content = message.content?.[type];
  if (content === undefined || example === undefined) return message;
  return { ...message, content: { ...message.content, [type]: { ...content, example } } };
}

const mapValues = <T, R>(
  record: Readonly<Record<string, T>>,
  map: (value: T, name: string) => R,
): Record<string, R> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value, name)]));
