/** One forward step of the schema. Once released it never changes: the database stores its checksum. */
export type Migration = { readonly version: number; readonly name: string; readonly sql: string }
