import { Writable } from 'node:stream'
import { profileNames, serveMcp, serveMcpStdio } from '@bardo/tools'
import { z } from 'zod'
import { findGolem } from '../findGolem.ts'
import { defineTask } from '../task.ts'
import { golemField } from './fields.ts'

const served = { golem: golemField.optional(), profile: z.enum(profileNames) }

/** Serves a Golem's tools over MCP stdio: input lines come from the client, and each answer goes back as text. */
export const mcp = defineTask({
  input: z.strictObject(served),
  async run(cliContext, { golem: named, profile }, { tell, note, input, signal }) {
    const { id } = await findGolem(cliContext, named)
    const output = new Writable({
      decodeStrings: false,
      write: (chunk, _, done) => {
        tell(`${chunk}`)
        done()
      },
    })
    const onError = (error: Error) => note(error.message)
    await (await serveMcpStdio({ context: cliContext.toolsFor(id), profile, input, output, signal, onError }))
      .closed
    return {}
  },
})

/** The same over HTTP on this machine, until the client disconnects. */
export const mcpHttp = defineTask({
  input: z.strictObject({
    ...served,
    port: z.int().min(0).max(65_535),
    token: z.string().max(1_000).optional(),
  }),
  async run(cliContext, { golem: named, profile, port, token }, { tell, note, signal }) {
    const { id } = await findGolem(cliContext, named)
    const context = cliContext.toolsFor(id)
    const onError = (error: Error) => note(error.message)
    const open = await serveMcp({ context, profile, over: { type: 'http', port, token }, signal, onError })
    if (open.type === 'http') tell({ url: open.url, token: open.token })
    await open.closed
    return {}
  },
})
