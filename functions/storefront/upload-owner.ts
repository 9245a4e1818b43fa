/**
 * The owner of the files that a session uploads. The owner changes when another customer logs in.
 */
export const uploadOwnerOf = ({ id, ownedSince }: { id: string; ownedSince: number }): string =>
  ownedSince === 0 ? id : `${id}.${ownedSince}`;
