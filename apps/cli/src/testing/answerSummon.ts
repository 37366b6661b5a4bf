import type { PseudoTerminal } from './pseudoTerminal.ts'

/** Answers all that `bardo summon` asks, up to the signature. Returns the screen with what would be signed. */
export async function answerSummon(
  terminal: PseudoTerminal,
  strategy: string,
  name: string,
): Promise<string> {
  const answers = [
    ['Who holds the money?', '\r'],
    ['Which wallet signs?', '\r'],
    ['Which file is the strategy in?', `${strategy}\r`],
    ['What is it called?', `${name}\r`],
    ['Register it in the identity registry', '\r'],
  ] as const
  for (const [question, answer] of answers) {
    await terminal.until((screen) => screen.includes(question))
    terminal.type(answer)
  }
  return terminal.until((screen) => screen.includes('bring it to life?'))
}
