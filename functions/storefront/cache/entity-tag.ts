const entityTagPattern = /(?:W\/)?("[^"]*")/g;

/** Whether an If-None-Match header matches the tag, by weak comparison (RFC 9110, 13.1.2). */
export function matchesEntityTag(ifNoneMatch: string, tag: string): boolean {
  if (ifNoneMatch.trim() === "*") return true;
  return [...ifNoneMatch.matchAll(entityTagPattern)].some(([, opaqueTag]) => opaqueTag === tag);
}
