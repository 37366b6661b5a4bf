import { parseArgs } from 'node:util'
import { BardoError } from '@bardo/core'
import { errorLine } from './errorLine.ts'
import type { Story } from './story.ts'

const usage = `Usage: npm run demo -- [options]

One whole life of a Golem on a chain of its own, unattended, in under a minute:
granted, fed, robbed in vain, rotated, silent, dying, settled, revoked. Ends
with 1 if a promise was broken; with --json also if the life could not be played,
and the document has an "error" then.

  --json    one JSON document instead of the story
  --port N  JSON-RPC port of the local chain (default: any free one)
  --keep    leave the chain running afterwards, until Ctrl-C
  --help    this text`

/** Runs `npm run demo`. Returns the exit code: 1 where a promise was broken. `onBegin` gets the story before it is told. */
export async function command(args: readonly string[], onBegin: (story: Story) => void): Promise<number> {
  const { help, json, keep, port } = readOptions(args)
  if (help) {
    console.log(usage)
    return 0
  }
  // Loaded late: `--help` and a misspelt option need no chain library.
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
    // What fails after a broken promise may well come of it: the broken promise is the news.
    if (json || isKept()) throw error
    console.error(errorLine(error))
    return undefined
  })
  if (!outcome) return 1
  if (json) process.stdout.write(`${toJson(outcome)}\n`)
  const code = isKept() ? 0 : 1
  if (keep) {
    process.exitCode = code
    story.aside(`The chain goes on at ${outcome.url}. Ctrl-C ends it.`)
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
