import { useContext, useEffect, useId, useRef, useState } from 'react'
import { type Blocker, type BlockerFunction, type Location, UNSAFE_DataRouterContext } from 'react-router'
import { recordParam } from '../../../shared/links.ts'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'

/** A save that takes longer is told of: who leaves may wait for it or not. */
const patienceMs = 2_000

/** The steps of one campaign are one place. */
const placeOf = ({ pathname, search }: Location): string => {
  const params = new URLSearchParams(search)
  return [pathname, params.get('tab'), params.get(recordParam.campaign)].join(' ')
}

const open: Blocker = { state: 'unblocked', reset: undefined, proceed: undefined, location: undefined }

/** As `useBlocker` of the router, which would stand in the first JavaScript of every screen for the sake of this one. */
const useHeld = (holds: BlockerFunction): Blocker => {
  const router = useContext(UNSAFE_DataRouterContext)?.router
  const key = useId()
  const latest = useRef(holds)
  latest.current = holds
  const [blocker, setBlocker] = useState<Blocker>(open)
  useEffect(() => {
    if (!router) return
    router.getBlocker(key, (moved) => latest.current(moved))
    const stop = router.subscribe(({ blockers }) => setBlocker(blockers.get(key) ?? open))
    return () => {
      stop()
      router.deleteBlocker(key)
    }
  }, [router, key])
  return blocker
}

type Props = {
  hasUnsaved: () => boolean
  /** @returns whether all is saved */
  onSave: () => Promise<boolean>
  /** What was typed and not saved is not wanted any more. */
  onDrop: () => void
  /** Why it is not saved, where that is known. */
  why: string | undefined
}

/** Whoever leaves takes along what a save takes; about the rest they are asked. */
export const LeaveGuard = ({ hasUnsaved, onSave, onDrop, why }: Props) => {
  const blocker = useHeld(
    ({ currentLocation, nextLocation }) => placeOf(currentLocation) !== placeOf(nextLocation) && hasUnsaved(),
  )
  const [asking, setAsking] = useState(false)
  const now = useRef({ blocker, hasUnsaved, onSave })
  now.current = { blocker, hasUnsaved, onSave }
  const { state } = blocker
  useEffect(() => {
    if (state !== 'blocked') return setAsking(false)
    let ended = false
    const slow = setTimeout(() => setAsking(true), patienceMs)
    void now.current.onSave().then(() => {
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
