import { toast } from '#src/ui/toast.tsx'
import { BulkDialog } from './BulkDialog.tsx'
import { type BulkBody, newsOf, useUndoEdit } from './data.ts'
import { jobsText, visitsText } from './wish.ts'
import './bulk.css'

type Customers = Extract<BulkBody['choice'], { customers: unknown }>['customers']
type Props = { choice: Customers; count: number; onClose: () => void; onDone: () => void }

/** A service day, a crew, or both for the recurring jobs of chosen customers; the jobs' own change of many, with its numbers before and its Undo. */
export const AssignCustomers = ({ choice, count, onClose, onDone }: Props) => {
  const undo = useUndoEdit()
  const people = `${count.toLocaleString('en-US')} ${count === 1 ? 'customer' : 'customers'}`
  return (
    <BulkDialog
      kind="assign"
      choice={{ customers: choice }}
      count={count}
      title={`Service day and crew for ${people}`}
      onClose={onClose}
      onDone={(edit) => {
        onClose()
        onDone()
        const { changed, created, removed } = edit.visits
        toast.undo(
          `${jobsText(edit.jobs)} assigned, ${visitsText(changed + created + removed)}`,
          () =>
            undo
              .mutateAsync(edit.id)
              .then(({ keptCount, restoredJobs }) =>
                keptCount > 0
                  ? toast.message(
                      `Taken back on ${jobsText(restoredJobs)}. What was changed since stays: Jobs, Bulk changes says what.`,
                    )
                  : toast.success('Undone'),
              )
              .catch(toast.error),
          newsOf(edit.id),
        )
      }}
    />
  )
}
