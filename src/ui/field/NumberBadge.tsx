import { IconCheck, IconPlayerPause, IconX } from '../icons.ts'
import type { StripState } from '../stripLayout.ts'
import './field.css'

/** A stop's number; done is a check, skipped a cross. */
export const NumberBadge = ({ number, state = 'todo' }: { number: number | null; state?: StripState }) => (
  <span className={`f-number is-${state}`} aria-hidden="true">
    {state === 'done' ? (
      <IconCheck />
    ) : state === 'skipped' ? (
      <IconX />
    ) : state === 'paused' ? (
      <IconPlayerPause />
    ) : (
      number
    )}
  </span>
)
