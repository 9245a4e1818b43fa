/** The rows of a list with their places, for rows that only their place tells apart. */
export const withPlaces = <T>(
  rows: readonly T[],
): readonly Readonly<{ value: T; place: number }>[] =>
  rows.map((value, place) => ({ value, place }));
