import { createList } from "./list.ts";
import { type Input, isRecord, parseRoute, type Route, readArguments } from "./route.ts";
import { type Answer, callApi, type Transport } from "./send.ts";
import type { CallOptions } from "./types.ts";

/** Routes by group and method, as the generator writes them. */
export type RouteTable = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** What a client does around its calls. */
export type Hooks = Readonly<{
  prepareInput?: (route: Route, path: string, input: Input) => Promise<Input>;
  onAnswer?: (data: unknown, path: string) => Promise<void>;
}>;

/**
 * The methods of a client. `M` is the interface that the generator writes from the same operations
 * as the table, and a test compares the two.
 */
export function createMethods<M>(transport: Transport, table: RouteTable, hooks: Hooks = {}): M {
  const mapValues = <A, B>(record: Readonly<Record<string, A>>, change: (value: A) => B) =>
    Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
  const methods: unknown = mapValues(table, (routes) =>
    mapValues(routes, (text) => createMethod(transport, parseRoute(text), hooks)),
  );
  return methods as M;
}

const pagingKinds = ["cursor", "headers", "offset", "page"] as const;

function createMethod(transport: Transport, route: Route, { prepareInput, onAnswer }: Hooks) {
  const call = async (path: string, input: Input, options: CallOptions): Promise<Answer> => {
    const prepared = (await prepareInput?.(route, path, input)) ?? input;
    const answer = await callApi(transport, route, { path, input: prepared, options });
    await onAnswer?.(answer.data, path);
    return answer;
  };
  const paging = pagingKinds.find((flag) => route.flags.has(flag));
  return (...args: unknown[]) => {
    const { path, input, options } = readArguments(route, args);
    const callOptions: CallOptions = isRecord(options) ? options : {};
    if (paging) {
      return createList(paging, input, (fields, pageOptions) =>
        call(path, fields, { ...callOptions, ...pageOptions }),
      );
    }
    return call(path, input, callOptions).then(({ headers: _, ...result }) => result);
  };
}
