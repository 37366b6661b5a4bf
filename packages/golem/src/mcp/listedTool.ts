import type { Tool } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { AnyTool } from '../tools/toolDefinition.ts'

const known = new WeakMap<AnyTool, Tool>()

/** A tool as clients see it, written once. */
export function listedTool(tool: AnyTool): Tool {
  const listed = known.get(tool) ?? write(tool)
  known.set(tool, listed)
  return listed
}

function write({ name, title, description, capability, destructive, idempotent, input, output }: AnyTool) {
  return {
    name,
    title,
    description,
    inputSchema: asJson(input, 'input'),
    outputSchema: asJson(output, 'output'),
    annotations: {
      readOnlyHint: capability === 'read',
      destructiveHint: destructive,
      idempotentHint: idempotent,
      // Whatever acts, acts on a chain that others act on too.
      openWorldHint: true,
    },
  }
}

function asJson(schema: z.ZodType, io: 'input' | 'output') {
  const json = z.toJSONSchema(schema, { target: 'draft-2020-12', io })
  return { ...Object(oneType(json)), type: 'object' as const }
}

/** Some models' dialects know no list of types: what may be null is said as a choice. */
function oneType(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(oneType)
  if (typeof part !== 'object' || part === null) return part
  const json = Object.fromEntries(Object.entries(part).map(([key, value]) => [key, oneType(value)]))
  const { type: types, description, ...rest } = json
  if (!Array.isArray(types)) return json
  const anyOf = types.map((type) => (type === 'null' ? { type } : { ...rest, type }))
  return { ...(description !== undefined && { description }), anyOf }
}
