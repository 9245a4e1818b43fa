let lastKey = 0;

/** Names a row of a form that the API has not given an id yet. */
export function createRowKey(): string {
  lastKey += 1;
  return `new-${lastKey}`;
}
