const tags = /(?:W\/)?("[^"]*")/g;

/** Whether an If-None-Match names the tag, by weak comparison (RFC 9110, 13.1.2); `*` names any. */
export function holds(condition: string, tag: string): boolean {
  if (condition.trim() === "*") return true;
  return [...condition.matchAll(tags)].some(([, named]) => named === tag);
}
