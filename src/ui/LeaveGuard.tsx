import { useEffect, useRef, useState } from 'react'
import { type Location, useBlocker } from 'react-router'
import { ConfirmDialog } from './ConfirmDialog.tsx'

/** A save that takes longer is told of: who leaves may wait for it or not. */
const patienceMs = 2_000

const placeOf = ({ pathname, search }: Location, within: readonly string[]): string => {
  const params = new URLSearchParams(search)
  return [pathname, ...['tab', ...within].map((name) => params.get(name))].join(' ')
}

type Props = {
  /** Parameters of the address that tell its record from others: with path and tab they are one place, in which nobody leaves. */
  within: readonly string[]
  /** As of this moment: who saved or dropped it a moment ago is not asked. */
  hasUnsaved: () => boolean
  /** For what saves itself. @returns whether all is saved */
  onSave?: () => Promise<boolean>
  /** What was typed and not saved is not wanted any more. */
  onDrop: () => void
  /** Why it is not saved, where that is known. */
  why?: string | undefined
}

/** Whoever leaves takes along what a save takes; about the rest they are asked. */
export const LeaveGuard = ({ within, hasUnsaved, onSave, onDrop, why }: Props) => {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      placeOf(currentLocation, within) !== placeOf(nextLocation, within) && hasUnsaved(),
  )
  const [asking, setAsking] = useState(false)
  const now = useRef({ blocker, hasUnsaved, onSave })
  now.current = { blocker, hasUnsaved, onSave }
  const { state } = blocker
  useEffect(() => {
    if (state !== 'blocked') return setAsking(false)
    const { onSave: save } = now.current
    if (!save) return setAsking(true)
    let ended = false
    const slow = setTimeout(() => setAsking(true), patienceMs)
    void save().then(() => {
      if (ended) return
      if (now.current.hasUnsaved()) setAsking(true)
      else now.current.blocker.proceed?.()
    })
    return () => {
      ended = true
      clearTimeout(slow)
    }
  }, [state])
  return (
    <ConfirmDialog
      open={asking && state === 'blocked'}
      onClose={() => {
        if (now.current.blocker.state === 'blocked' && hasUnsaved()) now.current.blocker.reset()
      }}
      title="Leave without saving?"
      confirmLabel="Leave without saving"
      cancelLabel="Stay here"
      danger
      onConfirm={() => {
        onDrop()
        now.current.blocker.proceed?.()
      }}
    >
      {why ?? 'What you typed last is not saved yet.'} If you leave now, it is lost.
    </ConfirmDialog>
  )
}
