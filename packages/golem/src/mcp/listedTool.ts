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
  const json: Record<string, unknown> = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io,
    override: ({ jsonSchema }) => oneType(jsonSchema),
  })
  return { ...json, type: 'object' as const }
}

/** Some models' dialects know no list of types: what may be null is said as a choice. */
function oneType(json: z.core.JSONSchema.BaseSchema): void {
  if (!Array.isArray(json.type)) return
  const { type: types, description, ...rest } = json
  for (const key of Object.keys(json)) delete json[key]
  Object.assign(json, {
    ...(description && { description }),
    anyOf: types.map((type) => (type === 'null' ? { type } : { ...rest, type })),
  })
}
