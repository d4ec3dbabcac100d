import { useEffect, useLayoutEffect, useRef } from 'react'
import type { Crew } from './data.ts'
import './crewapp.css'

export type Undoable = {
  commandId: string
  text: string
  /** It went at once, as the phone had no room for it: there is nothing to take back. */
  hasLeft: boolean
  /** What is said of it now is still of this visit. */
  onNote?: () => void
}

/** Milliseconds that a finish or a skip stays on the phone, so that a slipped thumb can take it back. */
export const undoMs = 6_000

/** What was just done, with the way back for as long as it has not left the phone. */
export const UndoBar = ({
  crew,
  done,
  onGone,
}: {
  crew: Crew
  done: Undoable | null
  onGone: (tooLate: boolean) => void
}) => {
  const bar = useRef<HTMLDivElement>(null)
  const commandId = done?.commandId
  // News stands above it, never on it.
  useLayoutEffect(() => {
    const { style } = document.documentElement
    if (bar.current) style.setProperty('--undo-room', `${bar.current.offsetHeight + 10}px`)
    return () => void style.removeProperty('--undo-room')
  })
  useEffect(() => {
    if (!commandId) return
    const timer = setTimeout(() => onGone(false), undoMs)
    return () => clearTimeout(timer)
  }, [commandId, onGone])
  return (
    <div role="status">
      {done ? (
        <div ref={bar} className="c-undo">
          <span>{done.text}</span>
          {done.onNote ? (
            <button type="button" onClick={done.onNote}>
              {crew.t.note}
            </button>
          ) : null}
          {done.hasLeft ? null : (
            <button
              type="button"
              onClick={() => void crew.outbox.withdraw(done.commandId).then((taken) => onGone(!taken))}
            >
              {crew.t.undo}
            </button>
          )}
        </div>
      ) : null}
    </div>
  )
}
