/**
 * Every error code of Bardo in one table: what an HTTP client, an MCP client and a shell get for the same
 * refusal.
 *
 * Codes are stable: programs branch on them. `retryable` says whether the same request may be sent again
 * unchanged. Exit codes follow shell conventions: 2 is a usage error; 64 and above are grouped by what to do
 * next (64 fix the input, 65 not allowed, 69 something is not reachable, 70 a defect of Bardo, 75 try again
 * later).
 */
export const errorCodes = {
  // The caller's input.
  INVALID_INPUT: { http: 400, mcp: -32602, exit: 64, retryable: false },
  UNSUPPORTED_CHAIN: { http: 400, mcp: -32602, exit: 64, retryable: false },
  CHAIN_MISMATCH: { http: 400, mcp: -32602, exit: 64, retryable: false },
  KEY_NOT_SECRET: { http: 400, mcp: -32602, exit: 64, retryable: false },
  TERMS_MALFORMED: { http: 400, mcp: -32602, exit: 64, retryable: false },
  DELEGATION_MALFORMED: { http: 400, mcp: -32602, exit: 64, retryable: false },
  SIGNATURE_MALFORMED: { http: 400, mcp: -32602, exit: 64, retryable: false },
  ADDRESS_UNKNOWN: { http: 400, mcp: -32602, exit: 64, retryable: false },
  GRANT_MALFORMED: { http: 400, mcp: -32602, exit: 64, retryable: false },
  STEP_OUT_OF_ORDER: { http: 409, mcp: -32003, exit: 64, retryable: false },
  CONFIG_INVALID: { http: 400, mcp: -32602, exit: 64, retryable: false },
  USER_REJECTED: { http: 403, mcp: -32001, exit: 65, retryable: false },

  // Refusals by what the owner signed.
  DELEGATION_DISABLED: { http: 403, mcp: -32002, exit: 65, retryable: false },
  SPEND_LIMIT_EXCEEDED: { http: 403, mcp: -32002, exit: 65, retryable: false },
  REDEMPTION_REFUSED: { http: 403, mcp: -32002, exit: 65, retryable: false },
  DELEGATION_EXPIRED: { http: 403, mcp: -32002, exit: 65, retryable: false },
  TOO_FEW_SIGNATURES: { http: 409, mcp: -32002, exit: 65, retryable: false },
  DELEGATION_WIDER: { http: 409, mcp: -32002, exit: 65, retryable: false },
  ACTION_NOT_ALLOWED: { http: 403, mcp: -32002, exit: 65, retryable: false },
  CAPABILITY_INVALID: { http: 403, mcp: -32002, exit: 65, retryable: false },
  PRICE_UNUSABLE: { http: 409, mcp: -32002, exit: 75, retryable: true },
  PRICE_MOVED: { http: 409, mcp: -32002, exit: 75, retryable: true },
  TOO_SOON: { http: 409, mcp: -32002, exit: 75, retryable: true },
  RATE_LIMITED: { http: 429, mcp: -32002, exit: 75, retryable: true },

  // The Golem's lifecycle.
  GOLEM_UNKNOWN: { http: 404, mcp: -32602, exit: 64, retryable: false },
  GOLEM_DYING: { http: 503, mcp: -32003, exit: 65, retryable: false },
  GOLEM_PAUSED: { http: 409, mcp: -32003, exit: 65, retryable: false },
  GOLEM_DREAMING: { http: 503, mcp: -32003, exit: 75, retryable: true },
  MOOD_OUT_OF_BOUNDS: { http: 503, mcp: -32003, exit: 75, retryable: true },
  SESSION_KEY_ZEROED: { http: 409, mcp: -32003, exit: 65, retryable: false },
  SEALED_KEY_WRONG_SECRET: { http: 403, mcp: -32001, exit: 65, retryable: false },
  SEALED_KEY_TAMPERED: { http: 422, mcp: -32003, exit: 65, retryable: false },
  GRANT_STANDS: { http: 409, mcp: -32003, exit: 75, retryable: true },
  ROTATION_REFUSED: { http: 409, mcp: -32003, exit: 65, retryable: false },

  // The result of an intent.
  NONCE_TAKEN: { http: 409, mcp: -32003, exit: 65, retryable: false },
  INTENT_CLOSED: { http: 409, mcp: -32003, exit: 65, retryable: false },
  OUTCOME_UNKNOWN: { http: 504, mcp: -32603, exit: 75, retryable: true },
  JOURNAL_UNAVAILABLE: { http: 503, mcp: -32603, exit: 75, retryable: true },

  // Stored data.
  STORE_LOCKED: { http: 503, mcp: -32603, exit: 69, retryable: false },
  STORE_NEWER: { http: 500, mcp: -32603, exit: 69, retryable: false },
  STORE_CHANGED: { http: 500, mcp: -32603, exit: 69, retryable: false },
  STORE_CORRUPT: { http: 500, mcp: -32603, exit: 70, retryable: false },
  STORE_UNWRITABLE: { http: 503, mcp: -32603, exit: 69, retryable: true },
  STORE_UNAVAILABLE: { http: 503, mcp: -32603, exit: 75, retryable: true },

  // External systems.
  ANVIL_MISSING: { http: 500, mcp: -32603, exit: 69, retryable: false },
  ANVIL_FAILED: { http: 500, mcp: -32603, exit: 69, retryable: true },
  PORT_TAKEN: { http: 500, mcp: -32603, exit: 69, retryable: false },
  RPC_UNAVAILABLE: { http: 503, mcp: -32603, exit: 75, retryable: true },
  RPC_MALFORMED: { http: 502, mcp: -32603, exit: 69, retryable: true },
  MODEL_UNAVAILABLE: { http: 503, mcp: -32603, exit: 75, retryable: true },
  MODEL_ANSWER_UNUSABLE: { http: 502, mcp: -32603, exit: 75, retryable: true },
  FACTORY_MISSING: { http: 500, mcp: -32603, exit: 69, retryable: false },
  CODE_MISMATCH: { http: 500, mcp: -32603, exit: 69, retryable: false },
  INSUFFICIENT_FUNDS: { http: 422, mcp: -32002, exit: 65, retryable: false },
  MANAGER_PAUSED: { http: 503, mcp: -32003, exit: 75, retryable: true },
  USER_OPERATION_REFUSED: { http: 422, mcp: -32002, exit: 65, retryable: false },
  TRANSACTION_REVERTED: { http: 422, mcp: -32002, exit: 65, retryable: false },
  INTERNAL: { http: 500, mcp: -32603, exit: 70, retryable: false },
} as const satisfies Record<string, ErrorSurface>

/** The values of one code on each surface. */
export type ErrorSurface = {
  /** HTTP status of the control plane's answer. */
  readonly http: number
  /** JSON-RPC error code of the MCP server's answer. */
  readonly mcp: number
  /** Exit code of the command line. */
  readonly exit: number
  /** Whether the same request may be sent again unchanged. */
  readonly retryable: boolean
}

/** A stable error code. */
export type ErrorCode = keyof typeof errorCodes
