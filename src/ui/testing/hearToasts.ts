import { onTestFinished } from 'vitest'
import { showToastsIn } from '../toast.tsx'

/** What is said in toasts from here to the end of the test, in order. What a file before said is not heard, and the next one speaks where it did before. */
export const hearToasts = (): string[] => {
  let heard: string[] = []
  const hear = (message: string) => void heard.push(message)
  const before = showToastsIn({ success: hear, error: hear, message: hear, undo: hear, dismiss: () => undefined })
  heard = []
  onTestFinished(() => void showToastsIn(before))
  return heard
}
