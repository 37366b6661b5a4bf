import type { PseudoTerminal } from './pseudoTerminal.ts'

/** Answers all prompts of `bardo summon` up to the signature. Returns the screen with what would be signed. */
export async function answerSummon(
  terminal: PseudoTerminal,
  strategy: string,
  name: string,
): Promise<string> {
  const answers = [
    ['How is it limited?', '\r'],
    ['Which wallet signs?', '\r'],
    ['Strategy file:', `${strategy}\r`],
    ['Name of the Golem:', `${name}\r`],
    ['Register it in the ERC-8004 identity registry', '\r'],
  ] as const
  for (const [question, answer] of answers) {
    await terminal.until((screen) => screen.includes(question))
    terminal.type(answer)
  }
  return terminal.until((screen) => screen.includes('start the Golem?'))
}
