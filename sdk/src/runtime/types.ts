/** Every method takes these as its last parameter. */
export type CallOptions = Readonly<{
  /** Ends the call and its retries. The promise rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Milliseconds for one attempt. Default: 30,000, or that of the client. */
  timeout?: number | undefined;
  /** Names one logical attempt of a write. Default: a new UUID for each call. */
  idempotencyKey?: string | undefined;
}>;

/** What a call answers. */
export type Result<T> = Readonly<{
  data: T;
  /** Names the call in the service's log. */
  requestId: string | null;
  /** The header Server-Timing. */
  serverTiming: string | null;
}>;

/** One page of a list. */
export type Page<T, D = unknown> = Readonly<{
  items: readonly T[];
  /** For the field `cursor` of the next page's call. Null on the last page. */
  nextCursor: string | null;
  hasMore: boolean;
  /** The whole answer, for lists that say more than their items. */
  data: D;
  requestId: string | null;
  serverTiming: string | null;
}>;

/** A list: iterate over all items with `for await`, or get one page with `page()`. */
export type List<T, D = unknown> = AsyncIterable<T> &
  Readonly<{ page: (options?: CallOptions) => Promise<Page<T, D>> }>;

type Content<B> = B extends { content: infer C } ? C[keyof C] : never;
type JsonContent<B> = B extends { content: { "application/json": infer C } } ? C : never;

/** The data of an operation's answer, without the envelope. Undefined where there is none. */
export type DataOf<O> = O extends { responses: infer R }
  ? 204 extends keyof R
    ? undefined
    : Unwrapped<Content<R[Extract<keyof R, 200 | 201>]>>
  : never;

type Unwrapped<T> = T extends { data: infer D } ? D : T;

/** The items of a list's answer. */
export type ItemOf<O> =
  DataOf<O> extends readonly (infer T)[]
    ? T
    : DataOf<O> extends { items: readonly (infer T)[] } | { assets: readonly (infer T)[] }
      ? T
      : never;

/** `T`, or no demand where the operation takes nothing of the kind. */
type Optional<T> = [T] extends [never] ? unknown : T;

type QueryOf<O> = O extends { parameters: { query?: infer Q } } ? NonNullable<Q> : never;
type BodyOf<O> = O extends { requestBody?: infer B } ? JsonContent<NonNullable<B>> : never;

/** The input of an operation: the fields of its body and its query together. */
export type InputOf<O> = Optional<BodyOf<O>> & Optional<QueryOf<O>>;

/** `fetch`, or something that is called like it. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** What all clients take. */
export type ClientOptions = Readonly<{
  /** The address of the service without a path, such as `https://api.example.com`. */
  baseUrl: string;
  /** Milliseconds for one attempt. Default: 30,000. */
  timeout?: number | undefined;
  /** How often a failed call is repeated when that is safe. Default: 2. */
  retries?: number | undefined;
  /** Default: the global `fetch`. */
  fetch?: Fetch | undefined;
}>;
