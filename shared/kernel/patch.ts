/** A change of a record, or of a part of it: what is not sent stays as it is. */
export type Patch<T> = Readonly<{ [K in keyof T]?: T[K] | undefined }>;

/** Without the fields that were not sent. */
export function omitUndefined<T extends object>(
  fields: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const sent = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(sent) as { [K in keyof T]?: Exclude<T[K], undefined> }; // safe: a part of T
}
