import type { FieldValues, Path, UseFormSetError } from 'react-hook-form'
import { ApiError } from '#src/shared/client.ts'

/** What the form shows above its fields: a sentence, errors that belong to no field on the screen, an id for support. */
export type FormProblem = {
  message: string
  others: string[]
  requestId: string | undefined
  /** The server could not be reached: true no longer as soon as it answers. */
  unreached?: boolean
}

/**
 * Puts the server's field errors on the fields that are on the screen.
 * @returns what is left for the banner, or null when every error found its field; and the first field that is wrong
 */
export const applyApiError = <T extends FieldValues>(
  error: unknown,
  setError: UseFormSetError<T>,
  isOnScreen: (path: string) => boolean,
): { problem: FormProblem | null; first: string | null } => {
  if (!(error instanceof ApiError)) {
    console.error(error)
    return {
      problem: {
        message: 'Something went wrong on this page. What you typed is still here; please try again.',
        others: [],
        requestId: undefined,
      },
      first: null,
    }
  }
  const others: string[] = []
  let first: string | null = null
  for (const item of error.errors) {
    const path = item.path.replace(/^body\./, '')
    if (!isOnScreen(path)) {
      others.push(item.message)
      continue
    }
    setError(path as Path<T>, { type: 'server', message: item.message })
    first ??= path
  }
  const allPlaced = first !== null && others.length === 0
  const message =
    error.code === 'validation_failed' ? 'Some of this needs a look before we can save it.' : error.message
  return {
    problem: allPlaced
      ? null
      : {
          message,
          others,
          requestId: error.status >= 500 ? error.requestId : undefined,
          ...(error.status === 0 ? { unreached: true } : {}),
        },
    first,
  }
}
