import { useState } from 'react'
import { Button } from '#src/ui/Button.tsx'
import { lazyPart, useAhead } from '#src/ui/lazyAhead.tsx'
import { Menu } from '#src/ui/Menu.tsx'
import { toast } from '#src/ui/toast.tsx'
import { useMay } from '../../../accounts/web/session.ts'
import { type BulkUndone, jobEditsApi } from '../contract.ts'
import { bulkLimit } from '../rules.ts'
import './bulk.css'
import { type BulkBody, newsOf, useUndoEdit } from './data.ts'
import { type BulkKind, doneText, jobsText, visitsText } from './wish.ts'

const BulkDialog = lazyPart(() => import('./BulkDialog.tsx').then((m) => m.BulkDialog))

type Props = {
  choice: BulkBody['choice']
  count: number
  money: boolean
  onDone: () => void
  /** What an Undo could not take back. */
  onKept: (undone: BulkUndone) => void
}

/** What can be done to the chosen jobs together. */
export const BulkBar = ({ choice, count, money, onDone, onKept }: Props) => {
  const [kind, setKind] = useState<BulkKind | null>(null)
  const undo = useUndoEdit()
  const may = useMay()
  useAhead(BulkDialog)
  if (!may(jobEditsApi.create)) return null
  if (count > bulkLimit)
    return <span className="hint">At most {bulkLimit} at a time. Narrow the list, by crew for instance.</span>
  const items: { kind: BulkKind; label: string }[] = [
    { kind: 'day', label: 'Weekday' },
    { kind: 'crew', label: 'Crew' },
    ...(money ? [{ kind: 'price' as const, label: 'Price' }] : []),
    { kind: 'pause', label: 'Pause' },
    { kind: 'resume', label: 'Resume' },
    { kind: 'end', label: 'End' },
  ]
  return (
    <>
      <Menu items={items.map((item) => ({ label: item.label, onClick: () => setKind(item.kind) }))}>
        <Button size="s">Change…</Button>
      </Menu>
      {kind ? (
        <BulkDialog
          key={kind}
          kind={kind}
          choice={choice}
          count={count}
          onClose={() => setKind(null)}
          onDone={(edit) => {
            setKind(null)
            onDone()
            const { changed, created, removed } = edit.visits
            toast.undo(
              `${doneText[kind](jobsText(edit.jobs))}, ${visitsText(changed + created + removed)}`,
              () =>
                undo
                  .mutateAsync(edit.id)
                  .then((undone) => (undone.keptCount > 0 ? onKept(undone) : toast.success('Undone')))
                  .catch(toast.error),
              newsOf(edit.id),
            )
          }}
        />
      ) : null}
    </>
  )
}
