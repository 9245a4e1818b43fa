import type { ApiResponse } from "./world.ts";

/** The body of a successful response. */
export const success = (data: unknown) => ({ success: true, data });

/** The body of a refusal. */
export const refusal = (code: string, error: Record<string, unknown> = {}) => ({
  success: false,
  error: { code, ...error },
});

/** One field of a response's body by its dotted path, such as `data.items.0.id`. */
export const valueAt = (response: ApiResponse, path: string): unknown =>
  path
    .split(".")
    .reduce<unknown>(
      (value, key) =>
        typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined,
      response.body,
    );
