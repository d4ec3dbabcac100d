import { AppError } from '../../shared/errors.ts'
import { supportMessage } from '../../shared/support.ts'

// https://www.postgresql.org/docs/current/errcodes-appendix.html
const busyCodes = new Set([
  '40001', // serialization_failure
  '40P01', // deadlock_detected
  '55P03', // lock_not_available
  '57014', // query_canceled: statement_timeout
])
const awayCodes = new Set([
  '53300', // too_many_connections
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now
  '25P03', // idle_in_transaction_session_timeout
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
])
const readOnlyCode = '25006' // read_only_sql_transaction

const awayLabel =
  /Connection terminated|timeout exceeded when trying to connect|not queryable|Client was closed|connection error/i

const codeOf = (error: unknown): string | undefined => {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : undefined
}

/** A prepared statement whose columns a migration changed, which the next try prepares anew. Other things that are not supported never will be. */
export const isStalePlan = (error: unknown): boolean =>
  codeOf(error) === '0A000' && /cached plan/.test((error as { message?: string }).message ?? '')

const isBusy = (error: unknown): boolean => busyCodes.has(codeOf(error) ?? '') || isStalePlan(error)

/** Whether the database could not be reached or went away. */
export const isConnectionFailure = (error: unknown): boolean => {
  const code = codeOf(error)
  if (code && (awayCodes.has(code) || code.startsWith('08'))) return true
  return error instanceof Error && !(error instanceof AppError) && awayLabel.test(error.message)
}

// 53 insufficient resources, 57 operator intervention, 58 system error, XX internal error
const outageClasses = ['08', '53', '57', '58', 'XX']

/**
 * Whether something failed that has nothing to do with what was asked: the database is busy, full or away, or the machine under us is. The same
 * may work later; anything else fails again.
 */
export const isOutage = (error: unknown): boolean => {
  const code = codeOf(error)
  if (error instanceof AppError) return error.code === 'unavailable'
  if (isConnectionFailure(error)) return true
  if (!code) return false
  return (
    isBusy(error) ||
    outageClasses.some((prefix) => code.length === 5 && code.startsWith(prefix)) ||
    /^E[A-Z]{3,}$/.test(code)
  )
}

/**
 * What the person in front of the screen can act on: waiting too long for a lock and an unreachable database become `unavailable` (503), a
 * write of who may only look becomes `forbidden`.
 * Everything else, unique violations too, stays as it is.
 */
export const databaseError = (error: unknown): unknown => {
  const code = codeOf(error)
  if (isBusy(error)) {
    return new AppError(
      'unavailable',
      'This is being changed by someone else at this moment. Nothing was saved; please try again.',
      { cause: error },
    )
  }
  if (code === readOnlyCode) return new AppError('forbidden', supportMessage.readOnly, { cause: error })
  if (isConnectionFailure(error)) {
    return new AppError(
      'unavailable',
      'We cannot reach our records at this moment. Nothing was saved; please try again in a few seconds.',
      { cause: error },
    )
  }
  return error
}
