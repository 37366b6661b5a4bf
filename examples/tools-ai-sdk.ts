/**
 * The tools without MCP, as plain objects for two libraries. Neither library is a dependency.
 *
 *   import { generateText, jsonSchema } from 'ai'
 *   await generateText({ model, prompt, tools: aiSdkTools(context, tools, jsonSchema) })
 *
 *   import { DynamicStructuredTool } from '@langchain/core/tools'
 *   langChainTools(context, tools).map((fields) => new DynamicStructuredTool(fields))
 *
 * Both get the JSON Schema instead of the zod schema: with zod they would pass on the parsed input, but `callTool` expects
 * the raw input of the model.
 */
import { BardoError } from '@bardo/core'
import { type AnyTool, callTool, listedTool, type ToolContext } from '@bardo/tools'

type JsonSchema = ReturnType<typeof listedTool>['inputSchema']

/** For the AI SDK: tools by name. Pass its own `jsonSchema` function, which marks a schema. */
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

/** For LangChain: the fields of its structured tools. Results are strings. */
export function langChainTools(context: ToolContext, tools: readonly AnyTool[]) {
  return tools.map((tool) => ({
    name: tool.name,
    description: tool.description,
    schema: listedTool(tool).inputSchema,
    func: async (input: unknown) => JSON.stringify(await answer(context, tool, input)),
  }))
}

/** Returns a refusal as a result: it holds the numbers, and what would pass. */
async function answer(context: ToolContext, tool: AnyTool, input: unknown): Promise<unknown> {
  try {
    return await callTool(context, tool, input)
  } catch (error) {
    if (error instanceof BardoError) return { error: error.toJSON() }
    throw error
  }
}
