import { ApiError } from '#src/shared/client.ts'

export type ToastBox = {
  success: (message: string) => void
  error: (message: string) => void
  message: (message: string) => void
  undo: (message: string, onUndo: () => unknown, about: string | undefined) => void
  dismiss: (id: string | undefined) => void
}

let box: ToastBox | null = null
let waiting: ((box: ToastBox) => void)[] = []

/** From here on news is shown, what was said before first: whoever speaks while the host is still loading is heard. @returns where it was shown so far; null again makes it wait */
export const showToastsIn = (given: ToastBox | null): ToastBox | null => {
  const before = box
  box = given
  const said = given ? waiting : []
  waiting = given ? [] : waiting
  for (const words of said) say(words)
  return before
}

const say = (words: (box: ToastBox) => void): void => {
  if (box) words(box)
  else waiting.push(words)
}

/** Short news that needs no answer, the same words once however often they are said. What must be put right stays on the screen instead (Banner, field error). */
export const toast = {
  /** 2 s. */
  success: (message: string): void => say((shown) => shown.success(message)),
  /** 4 s. Takes an error as it was caught. */
  error: (problem: unknown): void => {
    const message =
      typeof problem === 'string'
        ? problem
        : problem instanceof ApiError
          ? problem.message
          : 'Something went wrong. Nothing was lost; please try again.'
    say((shown) => shown.error(message))
  },
  message: (message: string): void => say((shown) => shown.message(message)),
  /** 8 s to take it back, once. News `about` the same thing takes the place of what was said of it before. */
  undo: (message: string, onUndo: () => unknown, about?: string): void => {
    let taken = false
    const once = () => {
      if (taken) return
      taken = true
      return onUndo()
    }
    say((shown) => shown.undo(message, once, about))
  },
  dismiss: (id?: string): void => say((shown) => shown.dismiss(id)),
}
