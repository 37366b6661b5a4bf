/** A forbidden name that may stay for now: an identifier or one word of it, in a folder or a file. */
export type AllowedName = { readonly name: string; readonly in: string; readonly reason: string }

const toolInput = 'The tools take and return this field; clients depend on it.'
const storedName = 'Stored rows have this name; readers of them keep it.'
const untilTheApi = 'The local RPC server is replaced by the HTTP API.'
const benchName = 'The JSON output of `npm run bench:gas` has this name of a policy.'
const toRename = 'Not renamed yet.'

/** This list only shrinks: an entry that matches nothing fails the check. */
export const allowedNames: readonly AllowedName[] = [
  { name: 'wish', in: 'packages/tools/', reason: toolInput },
  { name: 'wish', in: 'examples/tools-ai-sdk.test.ts', reason: toolInput },
  { name: 'wish', in: 'apps/cli/src/rpc/handlers/explain.ts', reason: toolInput },
  { name: 'permitId', in: 'packages/tools/', reason: toolInput },
  { name: 'permitId', in: 'examples/tools-ai-sdk.test.ts', reason: toolInput },
  { name: 'permitId', in: 'packages/core/src/format/upgradeNames', reason: storedName },
  { name: 'stock', in: 'bench/gas/policies.ts', reason: benchName },
  { name: 'office', in: 'apps/cli/src/', reason: untilTheApi },
  { name: 'office', in: 'scripts/pictures/', reason: untilTheApi },
  { name: 'wish', in: 'packages/core/src/journal/testing/describeJournal.ts', reason: toRename },
  { name: 'charter', in: 'apps/cli/src/testing/books/mutants.test.ts', reason: toRename },
]
