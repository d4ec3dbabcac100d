import { ApiError } from '../../../shared/client.ts'

/** The server's own words, or `otherwise` when it had none or did not answer. */
export const serverWords = (error: unknown, otherwise: string): string =>
  error instanceof ApiError && error.status > 0 && error.requestId ? error.message : otherwise

/** What to say when an account could not be opened. */
export const registrationWords = (error: unknown): string => {
  if (error instanceof Error && error.message === 'Invalid token response') return error.message
  if (error instanceof ApiError && error.status === 0) return 'Registration failed. Please try again later.'
  return serverWords(error, 'Registration failed')
}
