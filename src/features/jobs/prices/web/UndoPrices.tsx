import { ConfirmDialog } from '#src/ui/ConfirmDialog.tsx'
import { toast } from '#src/ui/toast.tsx'
import type { PriceChange } from '../contract.ts'
import { useUndoPrices } from './data.ts'

type Props<Change> = {
  /** The change that is meant; null while nobody asked. */
  change: Change | null
  onClose: () => void
  title: string
  confirmLabel: string
  words: (change: Change) => string
}

/** Asks before a change of prices is taken back, whatever made it. */
export const UndoPrices = <Change extends PriceChange>({
  change,
  onClose,
  title,
  confirmLabel,
  words,
}: Props<Change>) => {
  const undo = useUndoPrices()
  return (
    <ConfirmDialog
      open={change !== null}
      onClose={onClose}
      title={title}
      confirmLabel={confirmLabel}
      onConfirm={async () => {
        if (!change) return
        try {
          await undo.mutateAsync(change.id)
          toast.success('Undone: the old prices hold again')
        } catch (error) {
          toast.error(error)
        }
      }}
    >
      {change ? words(change) : null}
    </ConfirmDialog>
  )
}
