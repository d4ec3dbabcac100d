import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { ApiError } from '#src/shared/client.ts'
import { type ChangeBody, changePreviewQuery } from './data.ts'
import { useSettled } from './useSettled.ts'

/** The second half of a double click comes within this time; it was no answer to the question that the first one brought. */
const doubleClickMs = 400

const inSight = (part: HTMLElement): boolean => {
  const { top, bottom } = part.getBoundingClientRect()
  const frame = part.closest('.ui-dialog')?.getBoundingClientRect()
  const foot = part.closest('form')?.querySelector('.ui-form__actions')?.getBoundingClientRect()
  return top >= (frame?.top ?? 0) && bottom <= (foot?.top ?? innerHeight) + 1
}

/**
 * What a change would do, and whether the person has it before their eyes. A save that comes before the count of exactly what is typed waits for
 * it, then shows the question instead of saving.
 */
export const useOutcomeFirst = (jobId: string, body: ChangeBody, touchesVisits: boolean) => {
  const question = useRef<HTMLElement>(null)
  const key = JSON.stringify(body)
  const settled = useSettled(key)
  const [wanted, setWanted] = useState<string | null>(null)
  const waits = touchesVisits && wanted === key
  const current = waits ? key : settled
  const preview = useQuery({
    ...changePreviewQuery(jobId, JSON.parse(current) as ChangeBody),
    enabled: touchesVisits && current === key,
  })
  const known = touchesVisits && current === key && !preview.isPlaceholderData
  const answered = known && !preview.isFetching && (preview.data !== undefined || preview.error !== null)

  useEffect(() => {
    if (!waits || !answered) return
    const section = question.current
    section?.focus({ preventScroll: true })
    section?.scrollIntoView({ block: 'end' })
    const timer = setTimeout(() => setWanted(null), doubleClickMs)
    return () => clearTimeout(timer)
  }, [waits, answered])

  /** Whether a save may go out now; if not, the question comes into sight as soon as its answer is there. */
  const mayGo = (): boolean => {
    if (!touchesVisits) return true
    if (waits) return false
    const { error } = preview
    // What others changed meanwhile is a question of its own, which saving asks.
    if (answered && error instanceof ApiError && error.status === 409) return true
    if (answered && !error && question.current && inSight(question.current.querySelector('output') ?? question.current))
      return true
    if (answered && error && !(error instanceof ApiError && error.status >= 400 && error.status < 500))
      void preview.refetch()
    setWanted(key)
    return false
  }
  return { question, preview, known, waits, mayGo }
}
