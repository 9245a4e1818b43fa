import { describe, expect, it } from "vitest";
import { call } from "../support/world.ts";

type Operation = Readonly<{ operationId?: string; tags?: string[]; summary?: string }>;

type Document = Readonly<{
  paths: Record<string, Record<string, Operation>>;
  tags: { name: string; description: string }[];
  "x-tagGroups": { name: string; tags: string[] }[];
}>;

const prefixes = ["/api/v1", "/v1/link", "/v1/businesses"];

const documents = await Promise.all(
  prefixes.map(async (prefix): Promise<readonly [string, Document]> => {
    const { body } = await call("GET", `${prefix}/openapi.json`);
    return [prefix, Object(body)];
  }),
);

const operationsOf = ({ paths }: Document) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ at: `${method} ${path}`, operation })),
  );

/** The verbs with which the names of operations begin; a new one belongs to the glossary of clients. */
const verbs =
  /^(?:add|adjust|apply|archive|attach|authorize|autocomplete|calculate|cancel|change|check|clear|close|confirm|connect|count|create|delete|discard|dismiss|end|enroll|erase|export|find|get|import|list|log|mark|move|open|pause|pay|place|receive|record|refresh|refund|remove|reopen|request|reschedule|resume|retry|revoke|rotate|send|set|skip|start|suspend|test|track|update|validate|verify)[A-Z][A-Za-z]+$/;

describe.each(documents)("the document of %s", (_, document) => {
  const operations = operationsOf(document);

  it("names each operation with a verb and a noun, and no two alike", () => {
    const unnamed = operations.filter(({ operation }) => !verbs.test(operation.operationId ?? ""));
    expect(unnamed.map(({ at, operation }) => `${at}: ${operation.operationId}`)).toEqual([]);
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  it("lists each operation in one described section, and each section in one group", () => {
    const known = document.tags.map(({ name }) => name);
    expect(new Set(operations.flatMap(({ operation }) => operation.tags))).toEqual(new Set(known));
    expect(operations.filter(({ operation }) => operation.tags?.length !== 1)).toEqual([]);
    expect(document["x-tagGroups"].flatMap(({ tags }) => tags)).toEqual(known);
    expect(document.tags.filter(({ description }) => !description.endsWith("."))).toEqual([]);
  });

  it("summarises each operation in one sentence", () => {
    const wrong = operations.filter(
      ({ operation: { summary = "" } }) => !/^[A-Z][^.]+[^.]$/.test(summary),
    );
    expect(wrong.map(({ at, operation }) => `${at}: ${operation.summary}`)).toEqual([]);
  });
});
