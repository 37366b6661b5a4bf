export { BardoError, type BardoErrorOptions, type Outcome } from './errors/BardoError.ts'
export { type ErrorCode, type ErrorSurface, errorCodes } from './errors/codes.ts'
