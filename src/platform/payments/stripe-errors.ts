import { missingCode, PaymentRefused } from './provider.ts'

/** What Stripe's errors and ids mean, for every part of the adapter. */

type Failure = { code?: string; type?: string; message?: string }

export const idOf = (value: string | { id: string } | null | undefined): string | null =>
  typeof value === 'string' ? value : (value?.id ?? null)

/** Whether Stripe says that it knows no such thing. */
export const isMissing = (error: unknown): boolean => (error as Failure).code === missingCode

/** Whether Stripe lets us at an account no more: it was never ours, or the business took our access away. */
const isShut = (error: unknown): boolean => {
  const { code, type } = error as Failure
  return code === 'account_invalid' || type === 'StripePermissionError'
}

/** Whether a thing is not there for us: there is none, or its account is shut. */
export const isGone = (error: unknown): boolean => isMissing(error) || isShut(error)

/** What is found, or null where it is gone for us. */
export const findOrNull = async <T>(find: () => Promise<T>): Promise<T | null> => {
  try {
    return await find()
  } catch (error) {
    if (isGone(error)) return null
    throw error
  }
}

/** Stripe's no for good as `PaymentRefused`; anything else, which may come right, as it is. */
export const refusalOf = (error: unknown, fallback: string): unknown => {
  const { type, code, message } = error as Failure
  return type === 'StripeInvalidRequestError' || isShut(error)
    ? new PaymentRefused(message ?? fallback, code ?? null)
    : error
}
