/** The tables of a Durable Object's own database: there are none before its first write. */
export type OwnTables = Readonly<{ sql: SqlStorage; exist: () => boolean }>;
