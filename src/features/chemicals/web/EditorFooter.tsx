import type { Endpoint } from '../../../shared/endpoint.ts'
import { Button } from '../../../ui/Button.tsx'
import { IconArchive } from '../../../ui/icons.ts'
import { toast } from '../../../ui/toast.tsx'

type Kept = { id: string; name: string; version: number; archivedAt: string | null }
type Gate = Pick<Endpoint, 'path' | 'needsSubscription'>
type Props<T extends Kept> = {
  /** As it stands on the buttons: "Save mix". */
  noun: string
  /** What is open; nothing while a new one is written. */
  record: T | null | undefined
  form: string
  addCalls: Gate
  changeCalls: Gate
  saving: boolean
  onArchive: (change: { id: string; version: number; archived: boolean }) => Promise<T>
  onClose: () => void
}

/** What becomes of a product or a mix that is open: it is saved, put away or brought back. */
export const EditorFooter = <T extends Kept>({
  noun,
  record,
  form,
  addCalls,
  changeCalls,
  saving,
  onArchive,
  onClose,
}: Props<T>) => {
  const archive = async (archived: boolean, { id, name, version }: Kept) => {
    try {
      const now = await onArchive({ id, version, archived })
      onClose()
      if (archived) toast.undo(`${name} archived`, () => archive(false, now))
      else toast.success(`${name} is back`)
    } catch (error) {
      toast.error(error)
    }
  }
  return (
    <>
      {record ? (
        <Button
          calls={changeCalls}
          kind="quiet"
          icon={<IconArchive />}
          onClick={() => void archive(record.archivedAt === null, record)}
        >
          {record.archivedAt ? 'Bring back' : 'Archive'}
        </Button>
      ) : null}
      <Button calls={record ? changeCalls : addCalls} kind="primary" type="submit" form={form} loading={saving}>
        {record ? `Save ${noun}` : `Add ${noun}`}
      </Button>
    </>
  )
}
