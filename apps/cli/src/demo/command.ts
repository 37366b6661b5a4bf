import { parseArgs } from 'node:util'
import { BardoError } from '@bardo/core'
import { errorLine } from './errorLine.ts'
import type { Story } from './story.ts'

const usage = `Usage: npm run demo -- [options]

Shows the full lifecycle of a Golem on a local chain, unattended, in under a
minute: delegation, attempted theft, renewal, key rotation, silence, decline,
shutdown, revocation. Exit code 1 if a promise is broken; with --json also if
the demo fails, and then the document has an "error".

  --json    print one JSON document instead of text
  --port N  JSON-RPC port of the local chain (default: a free one)
  --keep    keep the chain running afterwards, until Ctrl-C
  --help    show this help`

/** Runs `npm run demo`. Returns the exit code: 1 if a promise is broken. Calls `onBegin` with the story before it starts. */
export async function command(args: readonly string[], onBegin: (story: Story) => void): Promise<number> {
  const { help, json, keep, port } = readOptions(args)
  if (help) {
    console.log(usage)
    return 0
  }
  // Imported late: `--help` and a misspelt option need no chain library.
  const [{ createStory }, { printer }, { world }, { playLife }, { toJson }] = await Promise.all([
    import('./story.ts'),
    import('./printer.ts'),
    import('./chapters/world.ts'),
    import('./playLife.ts'),
    import('./toJson.ts'),
  ])
  const story = createStory(json ? undefined : printer(process.stdout, process.env))
  onBegin(story)
  await using stage = await world(story, port)
  const isKept = () => story.soFar().promises.every(({ kept }) => kept)
  const outcome = await playLife(stage, story).catch((error: unknown) => {
    // An error after a broken promise is probably its consequence. Report the promise.
    if (json || isKept()) throw error
    console.error(errorLine(error))
    return undefined
  })
  if (!outcome) return 1
  if (json) process.stdout.write(`${toJson(outcome)}\n`)
  const code = isKept() ? 0 : 1
  if (keep) {
    process.exitCode = code
    story.aside(`The chain keeps running at ${outcome.url}. Ctrl-C stops it.`)
    await stage.world.ended
  }
  return code
}

function readOptions(args: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        help: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        keep: { type: 'boolean', default: false },
        port: { type: 'string', default: '0' },
      },
    })
    const port = Number(values.port)
    if (!/^\d+$/.test(values.port) || port > 65_535) throw new RangeError(`'${values.port}' is not a port.`)
    return { ...values, port }
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : `${cause}`
    throw new BardoError(message, { code: 'INVALID_INPUT', remedy: 'See npm run demo -- --help.', cause })
  }
}
