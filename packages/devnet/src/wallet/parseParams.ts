import { z } from 'zod'
import { ProviderRpcError, providerErrorCodes } from './ProviderRpcError.ts'

/** Parses a page's parameters, or refuses them and names what is wrong. */
export function parseParams<schema extends z.ZodType>(schema: schema, params: unknown): z.output<schema> {
  const parsed = schema.safeParse(params)
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map(
    (issue) => `${z.core.toDotPath(issue.path) || 'params'}: ${issue.message}`,
  )
  throw new ProviderRpcError(providerErrorCodes.invalidParams, `Invalid parameters. ${problems.join('; ')}`)
}
