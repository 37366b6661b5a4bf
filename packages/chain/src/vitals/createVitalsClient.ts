import { golemVitals } from '@bardo/contracts'
import { BardoError } from '@bardo/core'
import { type Address, encodeFunctionData, type Hex, type PublicClient } from 'viem'
import type { Landed, Submitter } from '../submission/createSubmitter.ts'
import { decodeVitals, type Vitals } from './decodeVitals.ts'

export type VitalsClientOptions = {
  readonly client: PublicClient
  readonly address: Address
  readonly golem: Hex
  /** The current writer's. */
  readonly submitter: Submitter
}

/** Each write takes an intent id of the caller's: the same id is the same write, however often it is asked for. */
export type VitalsClient = {
  read(): Promise<Vitals>
  heartbeat(id: string): Promise<Landed>
  /** A phase only moves forward; the chain refuses the rest. */
  post(id: string, phase: number, survivalScore: number): Promise<Landed>
  setDreaming(id: string, dreaming: boolean): Promise<Landed>
  /** From now on another key writes. */
  handOver(id: string, newWriter: Address): Promise<Landed>
  /** The Golem gives its own authority up, for good. */
  deregister(id: string): Promise<Landed>
}

const abi = golemVitals.abi

/** A Golem's row, read in one word and written as the writer's own transactions. */
export function createVitalsClient({ client, address, golem, submitter }: VitalsClientOptions): VitalsClient {
  async function write(id: string, data: Hex): Promise<Landed> {
    const landed = await submitter.submit({ id, to: address, data })
    if (landed.status === 'success') return landed
    throw new BardoError('The vitals refused the write.', {
      code: 'TRANSACTION_REVERTED',
      outcome: 'landed',
      details: [`intent ${id}`, `transaction ${landed.hash}`],
    })
  }

  return {
    read: async () =>
      decodeVitals(await client.readContract({ address, abi, functionName: 'vitalsOf', args: [golem] })),
    heartbeat: (id) => write(id, encodeFunctionData({ abi, functionName: 'heartbeat', args: [golem] })),
    post: (id, phase, survivalScore) =>
      write(id, encodeFunctionData({ abi, functionName: 'post', args: [golem, phase, survivalScore] })),
    setDreaming: (id, dreaming) =>
      write(id, encodeFunctionData({ abi, functionName: 'setDreaming', args: [golem, dreaming] })),
    handOver: (id, newWriter) =>
      write(id, encodeFunctionData({ abi, functionName: 'handOver', args: [golem, newWriter] })),
    deregister: (id) => write(id, encodeFunctionData({ abi, functionName: 'deregister', args: [golem] })),
  }
}
