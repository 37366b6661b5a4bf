/**
 * The tools without MCP, in the shapes that two libraries take. Neither is a dependency: a tool is a plain object there.
 *
 *   import { generateText, jsonSchema } from 'ai'
 *   await generateText({ model, prompt, tools: aiSdkTools(context, tools, jsonSchema) })
 *
 *   import { DynamicStructuredTool } from '@langchain/core/tools'
 *   langChainTools(context, tools).map((fields) => new DynamicStructuredTool(fields))
 *
 * Both are given the JSON Schema, not zod's: they would hand on what zod made of an input, and `callTool` takes what the
 * model wrote.
 */
import { BardoError } from '@bardo/core'
import { type AnyTool, callTool, listedTool, type ToolContext } from '@bardo/golem'

type JsonSchema = ReturnType<typeof listedTool>['inputSchema']

/** For the AI SDK: tools by their names. Its own `jsonSchema` marks a schema as one. */
export function aiSdkTools<Schema>(
  context: ToolContext,
  tools: readonly AnyTool[],
  jsonSchema: (schema: JsonSchema) => Schema,
) {
  return Object.fromEntries(
    tools.map((tool) => [
      tool.name,
      {
        description: tool.description,
        inputSchema: jsonSchema(listedTool(tool).inputSchema),
        execute: (input: unknown) => answer(context, tool, input),
      },
    ]),
  )
}

/** For LangChain: the fields of its structured tools. Its results are texts. */
export function langChainTools(context: ToolContext, tools: readonly AnyTool[]) {
  return tools.map((tool) => ({
    name: tool.name,
    description: tool.description,
    schema: listedTool(tool).inputSchema,
    func: async (input: unknown) => JSON.stringify(await answer(context, tool, input)),
  }))
}

/** A refusal is an answer too: it says by which numbers, and what would pass. */
async function answer(context: ToolContext, tool: AnyTool, input: unknown): Promise<unknown> {
  try {
    return await callTool(context, tool, input)
  } catch (error) {
    if (error instanceof BardoError) return { error: error.toJSON() }
    throw error
  }
}
