import type { Golem } from '@bardo/store'
import type { z } from 'zod'
import type { ToolNumbers } from '../events/golemEvent.ts'
import type { Stage } from './stage.ts'
import type { ToolContext } from './toolContext.ts'

/** What a tool may do: look, act within what is signed, or end something. */
export type CapabilityTier = 'read' | 'write' | 'privileged'

/** 1 changes nothing that counts, 2 is bounded by what is signed, 3 needs the owner's own signature. */
export type RiskLayer = 1 | 2 | 3

/** Says that a step was reached. Steps that come out of order are a defect. */
export type Progress = (step: string) => Promise<void>

/**
 * One tool: what an agent is told about it, what it takes and gives, in which stages of a life it is there, and the work
 * itself. Whatever calls it, by MCP or by hand, goes through `callTool`.
 */
export type ToolDefinition<Input = never, Output = unknown> = {
  readonly name: string
  readonly title: string
  /** For the model: what it does, what it needs, what it never does. */
  readonly description: string
  readonly category: 'action' | 'insight' | 'permission' | 'wallet'
  readonly capability: CapabilityTier
  readonly riskLayer: RiskLayer
  /** How much of a tick it may take. */
  readonly tickBudget: 'fast' | 'medium' | 'slow'
  readonly progressSteps: readonly string[]
  /** What the Golem's picture does meanwhile. */
  readonly sprite: 'thinking' | 'executing' | 'success' | 'failure'
  /** One sentence that stands in the system prompt. */
  readonly promptSnippet: string
  /** How to use it, by the stage of life. */
  readonly guidelines: Readonly<Record<Stage, string>>
  /** The stages in which it is offered, and works. */
  readonly stages: readonly Stage[]
  readonly destructive: boolean
  readonly idempotent: boolean
  readonly input: z.ZodType<Input>
  /** Whom a call is about, by id or name; undefined for the Golem that the tools were opened for. */
  subject(input: Input): string | undefined
  readonly output: z.ZodType<Output>
  /** What the events tell of input and output: names and plain values. */
  readonly told: {
    start(input: Input, subject: Golem): ToolNumbers
    end(output: Output): ToolNumbers
  }
  /** The result in words, for whoever reads no JSON. */
  say(output: Output): string
  run(context: ToolContext, input: Input, call: ToolCall): Promise<Output>
}

/** One call of a tool. */
export type ToolCall = {
  /** Names the call in events, and in the intents it makes: the same for a call that is sent again with its key. */
  readonly id: string
  /** Whom it is about. */
  readonly subject: Golem
  readonly progress: Progress
}

/** Lets a tool be written down with its types inferred. */
export function defineTool<Input, Output>(
  definition: ToolDefinition<Input, Output>,
): ToolDefinition<Input, Output> {
  return definition
}

/** Any tool, for lists: its input has been parsed by its own schema before `run` sees it. */
// biome-ignore lint/suspicious/noExplicitAny: a list of tools has no common input.
export type AnyTool = ToolDefinition<any, any>
