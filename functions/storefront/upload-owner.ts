/** The owner of a session's files. It changes when the session passes to another customer. */
export const uploadOwnerOf = ({ id, ownedSince }: { id: string; ownedSince: number }): string =>
  ownedSince === 0 ? id : `${id}.${ownedSince}`;
