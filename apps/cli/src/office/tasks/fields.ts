import { isAbsolute } from 'node:path'
import { z } from 'zod'

/** A Golem by name or id. */
export const golemField = z.string().min(1).max(200)

/** What a new Golem is called. */
export const nameField = z
  .string()
  .trim()
  .min(1)
  .max(64)
  .regex(/^[\w .-]+$/, 'letters, digits, spaces, dots and dashes')

/** A file of the owner's key: the path goes over the socket, never the key. */
export const ownerKeyField = z.string().max(4_096).refine(isAbsolute, 'give the whole path').optional()

/** A strategy, or another text of an owner's. Origin: the compiler reads as much. */
export const textField = z.string().max(4_194_304)
