import { BardoError } from '@bardo/core'
import { parse, TomlError } from 'smol-toml'
import { z } from 'zod'
import { modelPrices } from './golemToml.ts'
import { type ModelPrices, readPrices } from './modelPrices.ts'
import type { Environment } from './readProvider.ts'
import { type Secret, secret } from './secret.ts'

/** An endpoint of the operator, and the key that is sent only to it. */
export type ModelEntry = {
  readonly endpoint: string
  readonly key: Secret | undefined
  /** What the operator charges for its tokens. */
  readonly prices?: Partial<ModelPrices>
}

/** The operator's endpoints by name. A Golem's configuration names one, and never contains a key. */
export type ModelList = {
  readonly entries: ReadonlyMap<string, ModelEntry>
  /** Whether a Golem may name its own endpoint. It gets no key. Not allowed where strangers summon Golems. */
  readonly allowsOthers: boolean
}

/** The name of the environment's entry. */
const environmentEntry = 'default'

const schema = z.record(
  z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/),
  z
    .strictObject({
      endpoint: z.url({ protocol: /^https?$/ }),
      key: z.string().min(1).optional(),
      key_variable: z.string().min(1).optional(),
      prices: modelPrices.optional(),
    })
    .refine(({ key, key_variable }) => key === undefined || key_variable === undefined),
)

/**
 * Reads the operator's list: `models.toml`, plus the entry `default` from `BARDO_MODEL_ENDPOINT` and
 * `BARDO_MODEL_KEY`. A
 * key without an endpoint is never sent.
 *
 * @param sources.toml - the text of models.toml; if left out, only the environment counts
 *
 * @example
 * readModelList({ env: { BARDO_MODEL_ENDPOINT: 'http://localhost:11434/v1' }, allowsOthers: true })
 */
export function readModelList({
  toml,
  env,
  allowsOthers,
}: {
  readonly toml?: string | undefined
  readonly env: Environment
  readonly allowsOthers: boolean
}): ModelList {
  const table = toml === undefined ? {} : readTable(toml)
  const entries = new Map(
    Object.entries(table).map(
      ([name, { endpoint, key, key_variable: variable, prices }]): [string, ModelEntry] => {
        const value = key ?? (variable === undefined ? undefined : env[variable])
        if (variable !== undefined && !value) throw invalid([`${name}: ${variable} is not set`])
        return [
          name,
          { endpoint, key: value ? secret(value) : undefined, ...(prices && { prices: readPrices(prices) }) },
        ]
      },
    ),
  )
  const { BARDO_MODEL_ENDPOINT: endpoint, BARDO_MODEL_KEY: key } = env
  // Register it as a secret even if it is never sent.
  const sealed = key ? secret(key) : undefined
  if (endpoint) {
    if (!URL.canParse(endpoint) || !/^https?:$/.test(new URL(endpoint).protocol))
      throw invalid(['BARDO_MODEL_ENDPOINT must start with http:// or https://'])
    if (entries.has(environmentEntry))
      throw invalid(['models.toml has an entry "default", which BARDO_MODEL_ENDPOINT also defines'])
    entries.set(environmentEntry, { endpoint, key: sealed })
  }
  return { entries, allowsOthers }
}

/** The endpoint and key of the model that golem.toml names, or the reason why there is none. */
export function findModel(
  { entries, allowsOthers }: ModelList,
  { use, endpoint }: { readonly use?: string | undefined; readonly endpoint?: string | undefined },
): ModelEntry | { readonly problem: string } {
  if (use !== undefined)
    return entries.get(use) ?? { problem: `The operator’s model list has no entry "${use}".` }
  if (endpoint === undefined) return { problem: 'golem.toml names no model.' }
  const listed = [...entries.values()].find((entry) => addressOf(entry.endpoint) === addressOf(endpoint))
  if (listed) return listed
  if (allowsOthers) return { endpoint, key: undefined }
  return { problem: 'The operator’s model list does not have this endpoint.' }
}

function addressOf(endpoint: string): string {
  return new URL(endpoint).href.replace(/\/+$/, '')
}

function readTable(toml: string): z.infer<typeof schema> {
  let table: unknown
  try {
    table = parse(toml)
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    // The parser's message quotes the file, which may contain a key.
    throw invalid([`models.toml:${error.line}: invalid TOML at column ${error.column}`])
  }
  const parsed = schema.safeParse(table)
  if (parsed.success) return parsed.data
  throw invalid(
    parsed.error.issues.slice(0, 5).map(({ path }) => `models.toml: ${path.join('.')} is invalid`),
  )
}

function invalid(details: readonly string[]): BardoError {
  return new BardoError('The model list is invalid.', {
    code: 'CONFIG_INVALID',
    details,
    remedy: 'Give each entry an endpoint, and at most one of key and key_variable.',
    docsPath: 'operators.md#models',
  })
}
