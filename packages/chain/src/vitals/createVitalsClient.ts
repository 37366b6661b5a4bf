import { golemVitals } from '@bardo/contracts'
import { BardoError } from '@bardo/core'
import { type Address, encodeFunctionData, type Hex, type PublicClient } from 'viem'
import type { Landed, Submitter } from '../submission/createSubmitter.ts'
import { decodeVitals, type Vitals } from './decodeVitals.ts'

export type VitalsClientOptions = {
  readonly client: PublicClient
  readonly address: Address
  readonly golem: Hex
  /** The submitter of the current writer. */
  readonly submitter: Submitter
}

/**
 * Each write takes an intent id from the caller: the same id is the same write, however often it is
 * submitted.
 */
export type VitalsClient = {
  read(): Promise<Vitals>
  heartbeat(id: string): Promise<Landed>
  /** A phase can only move forward; the chain refuses anything else. */
  post(id: string, phase: number, survivalScore: number): Promise<Landed>
  setDreaming(id: string, dreaming: boolean): Promise<Landed>
  /** Makes another key the writer. */
  handOver(id: string, newWriter: Address): Promise<Landed>
  /** The Golem gives up its own authority permanently. */
  deregister(id: string): Promise<Landed>
}

const abi = golemVitals.abi

/** A Golem's vitals: read as one word, written with the writer's own transactions. */
export function createVitalsClient({ client, address, golem, submitter }: VitalsClientOptions): VitalsClient {
  async function write(id: string, data: Hex): Promise<Landed> {
    const landed = await submitter.submit({ id, to: address, data })
    if (landed.status === 'success') return landed
    throw new BardoError('GolemVitals refused the write.', {
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
