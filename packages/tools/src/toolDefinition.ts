import type { ToolNumbers } from '@bardo/golem/events'
import type { Golem } from '@bardo/store'
import type { z } from 'zod'
import type { Stage } from './stage.ts'
import type { ToolContext } from './toolContext.ts'

/** What a tool may do: read, act within the signed limits, or end something. */
export type CapabilityTier = 'read' | 'write' | 'privileged'

/** 1 changes nothing of value, 2 is limited by the signed delegation, 3 needs the owner's signature. */
export type RiskLayer = 1 | 2 | 3

/** Reports that a step was reached. Steps out of order are a defect. */
export type Progress = (step: string) => Promise<void>

/**
 * A tool: its description for an agent, its input and output, the stages of life in which it is available,
 * and its
 * implementation. All callers, MCP included, go through `callTool`.
 */
export type ToolDefinition<Input = never, Output = unknown> = {
  readonly name: string
  readonly title: string
  /** For the model: what the tool does, what it needs, what it never does. */
  readonly description: string
  readonly category: 'action' | 'insight' | 'wallet'
  readonly capability: CapabilityTier
  readonly riskLayer: RiskLayer
  /** How much time of a tick it may take. */
  readonly tickBudget: 'fast' | 'medium' | 'slow'
  readonly progressSteps: readonly string[]
  /** The Golem's picture while the tool runs. */
  readonly sprite: 'thinking' | 'executing' | 'success' | 'failure'
  /** One sentence for the system prompt. */
  readonly promptSnippet: string
  /** How to use the tool, by stage of life. */
  readonly guidelines: Readonly<Record<Stage, string>>
  /** The stages in which the tool is offered and can be called. */
  readonly stages: readonly Stage[]
  readonly destructive: boolean
  readonly idempotent: boolean
  readonly input: z.ZodType<Input>
  /** Valid arguments, shown in the error of an invalid call. */
  readonly example?: object
  /** The Golem of a call, by id or name; undefined for the Golem that the tools were opened for. */
  subject(input: Input): string | undefined
  readonly output: z.ZodType<Output>
  /** The fields of input and output that events record. A read-only tool has none: it records nothing. */
  readonly eventFields?: {
    start(input: Input, subject: Golem): ToolNumbers
    end(output: Output): ToolNumbers
  }
  /** The result as text. */
  say(output: Output): string
  run(context: ToolContext, input: Input, call: ToolCall): Promise<Output>
}

/** One call of a tool. */
export type ToolCall = {
  /**
   * The id of the call in events and in its intents. It stays the same if the call is sent again with its
   * idempotency key.
   */
  readonly id: string
  /** The Golem of the call. */
  readonly subject: Golem
  readonly progress: Progress
}

/** Defines a tool with inferred types. */
export function defineTool<Input, Output>(
  definition: ToolDefinition<Input, Output>,
): ToolDefinition<Input, Output> {
  return definition
}

/** Any tool, for lists. `callTool` parses the input with the tool's own schema before `run`. */
// biome-ignore lint/suspicious/noExplicitAny: a list of tools has no common input.
export type AnyTool = ToolDefinition<any, any>
