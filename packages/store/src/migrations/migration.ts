/** One step of the schema, forward only. Once released it never changes: its checksum is kept in the database. */
export type Migration = { readonly version: number; readonly name: string; readonly sql: string }
