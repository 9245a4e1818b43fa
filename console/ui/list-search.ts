/** The filters of a list and the page that is shown, as they stand in the URL. */
export type ListSearch<F extends string> = Readonly<Partial<Record<F | "cursor", string>>>;

/** Takes the named filters of a URL, and leaves out what is empty or no text. */
export const readListSearch =
  <F extends string>(filters: readonly F[]) =>
  (search: Readonly<Record<string, unknown>>): ListSearch<F> => {
    const read: Partial<Record<F | "cursor", string>> = {};
    for (const name of [...filters, "cursor" as const]) {
      const value = search[name];
      if (typeof value === "string" && value !== "") read[name] = value;
    }
    return read;
  };

/** The text when it is one of a record's keys: a filter of the URL may be anything. */
export const keyIn = <K extends string>(
  record: Readonly<Record<K, unknown>>,
  text: string | undefined,
): K | undefined => Object.keys(record).find((key): key is K => key === text);
