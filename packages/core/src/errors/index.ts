export {
  BardoError,
  type BardoErrorOptions,
  type Outcome,
} from './BardoError.ts'
export {
  type ErrorCode,
  type ErrorSurface,
  errorCodes,
} from './codes.ts'
