import { Writable } from 'node:stream'
import { profileNames, serveMcp, serveMcpStdio } from '@bardo/golem'
import { z } from 'zod'
import { findGolem } from '../findGolem.ts'
import { defineTask } from '../task.ts'
import { golemField } from './fields.ts'

const served = { golem: golemField.optional(), profile: z.enum(profileNames) }

/** A Golem's tools over MCP, to whoever asks: their words come in as lines, and each answer is told as text. */
export const mcp = defineTask({
  input: z.strictObject(served),
  async run(place, { golem: named, profile }, { tell, note, input, signal }) {
    const { id } = await findGolem(place, named)
    const output = new Writable({
      decodeStrings: false,
      write: (chunk, _, done) => {
        tell(`${chunk}`)
        done()
      },
    })
    const onError = (error: Error) => note(error.message)
    await (await serveMcpStdio({ context: place.toolsFor(id), profile, input, output, signal, onError }))
      .closed
    return {}
  },
})

/** The same over HTTP on this machine, as long as somebody listens. */
export const mcpHttp = defineTask({
  input: z.strictObject({
    ...served,
    port: z.int().min(0).max(65_535),
    token: z.string().max(1_000).optional(),
  }),
  async run(place, { golem: named, profile, port, token }, { tell, note, signal }) {
    const { id } = await findGolem(place, named)
    const context = place.toolsFor(id)
    const onError = (error: Error) => note(error.message)
    const open = await serveMcp({ context, profile, over: { is: 'http', port, token }, signal, onError })
    if (open.is === 'http') tell({ url: open.url, token: open.token })
    await open.closed
    return {}
  },
})
