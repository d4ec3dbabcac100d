/**
 * The error codes of the wire, each with its HTTP status. `code` is stable; `message` is for the person in front of the screen.
 */
export const errorStatus = {
  validation_failed: 422,
  bad_request: 400,
  unauthenticated: 401,
  token_expired: 401,
  invalid_credentials: 401,
  session_ended: 401,
  session_reused: 401,
  subscription_required: 402,
  customer_limit_reached: 402,
  message_limit_reached: 402,
  forbidden: 403,
  two_factor_required: 403,
  two_factor_setup_required: 403,
  not_found: 404,
  conflict: 409,
  state_conflict: 409,
  version_conflict: 409,
  idempotency_mismatch: 409,
  payload_too_large: 413,
  unsupported_media: 415,
  too_many_requests: 429,
  internal: 500,
  unavailable: 503,
} as const

export type ErrorCode = keyof typeof errorStatus

export type FieldError = { path: string; message: string }

/** The body of every answer that is not a success. */
export type ErrorBody = {
  code: ErrorCode
  message: string
  errors?: FieldError[]
  requestId: string
  details?: Record<string, unknown>
}

/** A refusal with words for the person in front of the screen: what happened, that nothing was lost, what to do. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly errors: FieldError[] | undefined
  readonly details: Record<string, unknown> | undefined
  constructor(
    code: ErrorCode,
    message: string,
    options: { errors?: FieldError[]; details?: Record<string, unknown>; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.errors = options.errors
    this.details = options.details
  }
  get status(): number {
    return errorStatus[this.code]
  }
}

/** Somebody else's record and a record that never was look the same: 404. */
export const notFound = (what = 'record'): AppError =>
  new AppError('not_found', `We could not find this ${what}. It may have been removed, or the link may be incomplete.`)

export const conflict = (message: string, details?: Record<string, unknown>): AppError =>
  new AppError('state_conflict', message, details ? { details } : {})

/** One or more fields that do not hold; nothing was changed. */
export const invalid = (errors: FieldError[]): AppError =>
  new AppError('validation_failed', 'Validation error', { errors })
