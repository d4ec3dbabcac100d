import { useCallback, useState } from 'react'
import { toast } from '../../../ui/toast.tsx'
import type { CrewStop } from '../contract.ts'
import { currentStop, missingBeforeFinish } from '../projection/rules.ts'
import type { Crew } from './data.ts'
import { canTakeBack } from './outboxState.ts'
import { hasRoom } from './photo.ts'
import { type Undoable, undoMs } from './UndoBar.tsx'

type OpenSheet = {
  sheet: 'stop' | 'skip' | 'note' | 'finish' | 'collect' | 'treat'
  stopId: string
  at?: string | undefined
} | null

/** What the person does with the stops of today, and which sheet is open. */
export const useDay = (crew: Crew) => {
  const [chosenId, setChosenId] = useState<string | null>(null)
  const [open, setOpen] = useState<OpenSheet>(null)
  const [undo, setUndo] = useState<Undoable | null>(null)
  const { t, plan, act, takePhoto } = crew
  const onUndoGone = useCallback(
    (tooLate: boolean) => {
      setUndo(null)
      if (tooLate) toast.message(t.tooLateToUndo)
    },
    [t],
  )
  /** The phone could not write: the person must know before walking on. */
  const kept = async <T>(work: () => Promise<T>): Promise<T | null> => {
    try {
      return await work()
    } catch {
      toast.error(t.notSaved)
      return null
    }
  }
  const nextUp = (done: Omit<Undoable, 'hasLeft'>) => {
    setChosenId(null)
    setUndo({ ...done, hasLeft: !canTakeBack(crew.outbox.get(), done.commandId, Date.now()) })
    window.scrollTo(0, 0)
  }
  const finish = async (stop: CrewStop, without = '', noRecord = '', at = open?.at) => {
    setOpen(null)
    const commandId = await kept(() =>
      act('finish', stop, { ...(without ? { without } : {}), ...(noRecord ? { noRecord } : {}) }, undoMs, at),
    )
    if (!commandId) return
    navigator.vibrate?.(40)
    nextUp({
      commandId,
      text: t.finished(stop.street),
      onNote: () => setOpen({ sheet: 'note', stopId: stop.id }),
    })
  }
  const skip = async (stop: CrewStop, reason: string, note: string) => {
    setOpen(null)
    const commandId = await kept(() => act('skip', stop, { reason, ...(note ? { note } : {}) }, undoMs))
    if (!commandId) return
    nextUp({ commandId, text: t.skipped(stop.street) })
  }
  const photos = async (stop: CrewStop, kind: 'before' | 'after' | 'other', files: File[], item?: string) => {
    if (!(await hasRoom())) return void toast.error(t.noRoom)
    const done = await kept(async () => {
      await takePhoto(stop, kind, files, item)
      return true
    })
    if (done) toast.success(t.photoSaved)
  }
  return {
    stop: plan ? currentStop(plan, chosenId) : null,
    undo,
    onUndoGone,
    sheet: (name: NonNullable<OpenSheet>['sheet']): CrewStop | null =>
      open?.sheet === name ? (plan?.stops.find((s) => s.id === open.stopId) ?? null) : null,
    show: (sheet: NonNullable<OpenSheet>['sheet'], stop: CrewStop) => setOpen({ sheet, stopId: stop.id }),
    close: () => setOpen(null),
    choose: (stop: CrewStop) => {
      setChosenId(stop.id)
      setOpen(null)
      window.scrollTo(0, 0)
    },
    act: (...input: Parameters<Crew['act']>) => void kept(() => act(...input)),
    start: (stop: CrewStop) => {
      window.scrollTo(0, 0)
      void kept(() => act(stop.status === 'paused' ? 'resume' : 'start', stop))
    },
    finish,
    /** @param at when it was finished, where that is not now */
    askFinish: (stop: CrewStop, at?: string) => {
      const { ticks, photo, record } = missingBeforeFinish(stop)
      if (ticks.length > 0 || photo || record) setOpen({ sheet: 'finish', stopId: stop.id, at })
      else void finish(stop, '', '', at)
    },
    skip,
    photos,
  }
}

export type DayActions = ReturnType<typeof useDay>
