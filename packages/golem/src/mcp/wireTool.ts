import type { Tool } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { AnyTool } from '../tools/toolDefinition.ts'

const known = new WeakMap<AnyTool, ReturnType<typeof convert>>()

/** A tool as clients see it, converted once: as it is listed, and as the server keeps it. */
export function wireTool(tool: AnyTool) {
  const wire = known.get(tool) ?? convert(tool)
  known.set(tool, wire)
  return wire
}

function convert({ name, title, description, capability, destructive, idempotent, input, output }: AnyTool) {
  const inputSchema = asJson(input, 'input')
  const outputSchema = asJson(output, 'output')
  const words = {
    title,
    description,
    annotations: {
      readOnlyHint: capability === 'read',
      destructiveHint: destructive,
      idempotentHint: idempotent,
      // Whatever acts, acts on a chain that others act on too.
      openWorldHint: true,
    },
  }
  const listed: Tool = { name, ...words, inputSchema, outputSchema }
  return {
    listed,
    kept: { ...words, inputSchema: unchecked(inputSchema), outputSchema: unchecked(outputSchema) },
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

/** The schema without its checks: `callTool` makes them both ways, and says what is wrong in our own words. */
function unchecked(json: Record<string, unknown>) {
  return {
    '~standard': {
      version: 1 as const,
      vendor: 'bardo',
      jsonSchema: { input: () => json, output: () => json },
      validate: (value: unknown) => ({ value }),
    },
  }
}
