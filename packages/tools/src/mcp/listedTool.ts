import type { Tool } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { AnyTool } from '../toolDefinition.ts'

const cache = new WeakMap<AnyTool, Tool>()

/** A tool's MCP definition, built once. */
export function listedTool(tool: AnyTool): Tool {
  const listed = cache.get(tool) ?? build(tool)
  cache.set(tool, listed)
  return listed
}

function build(tool: AnyTool) {
  const { name, title, description, capability, destructive, idempotent, input, output } = tool
  const { category, riskLayer, tickBudget, sprite } = tool
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
      // Every tool reads or writes a chain that others use too.
      openWorldHint: true,
    },
    // What MCP has no field for. Clients that do not know the prefix ignore it.
    _meta: {
      'bardo/category': category,
      'bardo/capability': capability,
      'bardo/riskLayer': riskLayer,
      'bardo/tickBudget': tickBudget,
      'bardo/sprite': sprite,
    },
  }
}

function asJson(schema: z.ZodType, io: 'input' | 'output') {
  const json = z.toJSONSchema(schema, { target: 'draft-2020-12', io })
  return { ...Object(oneType(json)), type: 'object' as const }
}

/** Some models do not support a list of types in JSON Schema: a nullable field becomes `anyOf`. */
function oneType(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(oneType)
  if (typeof part !== 'object' || part === null) return part
  const json = Object.fromEntries(Object.entries(part).map(([key, value]) => [key, oneType(value)]))
  const { type: types, description, ...rest } = json
  if (!Array.isArray(types)) return json
  const anyOf = types.map((type) => (type === 'null' ? { type } : { ...rest, type }))
  return { ...(description !== undefined && { description }), anyOf }
}
