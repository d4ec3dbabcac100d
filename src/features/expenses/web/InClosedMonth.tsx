import { InDialog, ReasonFields } from '../../invoices/web/ReasonDialog.tsx'

type Props = {
  verb: 'remove' | 'restore'
  onClose: () => void
  /** @returns what is said of it */
  onReason: (reason: string) => Promise<string>
}

/** An owner takes an expense out of a closed month, or puts it back, and says why. */
export const InClosedMonth = ({ verb, onClose, onReason }: Props) => (
  <InDialog open onClose={onClose} title="This month is closed">
    <ReasonFields
      label={verb === 'remove' ? 'Remove from a closed month' : 'Put back in a closed month'}
      intro="The books of its month change with it. Say why, or reopen the month first; it stands in the history of the months and in the audit log, with your name."
      placeholder="It was booked twice"
      verb={verb === 'remove' ? 'Remove it all the same' : 'Put it back all the same'}
      danger={verb === 'remove'}
      onSend={onReason}
      onClose={onClose}
    />
  </InDialog>
)
