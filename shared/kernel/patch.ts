/** A partial change of a record; fields that are not sent stay unchanged. */
export type Patch<T> = Readonly<{ [K in keyof T]?: T[K] | undefined }>;

/** A copy of the object without fields that are undefined. */
export function omitUndefined<T extends object>(
  fields: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const sent = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(sent) as { [K in keyof T]?: Exclude<T[K], undefined> }; // safe: a part of T
}
