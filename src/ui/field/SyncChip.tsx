import { IconAlertTriangle, IconCheck, IconCloudOff } from '../icons.ts'
import './field.css'

export type SyncState = {
  /** All that has not left the phone. */
  unsent: number
  /** The part of it that has waited for longer than a moment. */
  waiting: number
  attention: number
  /** What the office has answered and nobody has read yet. */
  answered?: number
  online: boolean
  sending: boolean
}
export type SyncLabels = {
  allSent: string
  saved: string
  onPhone: (count: number) => string
  noSignal: (count: number) => string
  sending: (count: number) => string
  attention: (count: number) => string
  answered: (count: number) => string
}

const english: SyncLabels = {
  allSent: 'All sent',
  saved: 'Saved',
  onPhone: (count) => `${count} on phone`,
  noSignal: (count) => (count ? `${count} on phone, no signal` : 'No signal'),
  sending: (count) => `Sending ${count}…`,
  attention: (count) => `Needs attention ${count}`,
  answered: (count) => (count === 1 ? '1 answer' : `${count} answers`),
}

/** The truth about what has left the phone. Opens the list of what has not. */
export const SyncChip = ({
  state,
  label = english,
  onClick,
}: {
  state: SyncState
  label?: SyncLabels
  onClick?: () => void
}) => {
  const { unsent, waiting, attention, answered = 0, online, sending } = state
  const [tone, text] =
    attention > 0
      ? (['attention', label.attention(attention)] as const)
      : !online
        ? (['phone', label.noSignal(waiting)] as const)
        : waiting > 0
          ? sending
            ? (['sending', label.sending(waiting)] as const)
            : (['phone', label.onPhone(waiting)] as const)
          : answered > 0
            ? (['sent', label.answered(answered)] as const)
            : (['sent', unsent > 0 ? label.saved : label.allSent] as const)
  const inside = (
    <>
      {tone === 'sent' ? (
        <IconCheck aria-hidden="true" />
      ) : tone === 'attention' ? (
        <IconAlertTriangle aria-hidden="true" />
      ) : tone === 'sending' ? (
        <span className="f-spin f-sync__spin" aria-hidden="true" />
      ) : (
        <IconCloudOff aria-hidden="true" />
      )}
      <span>{text}</span>
    </>
  )
  // The status stands around the button: inside of it it would take the button's name.
  return (
    <span role="status" className="f-sync-said">
      {onClick ? (
        <button type="button" className={`f-sync f-sync--${tone}`} onClick={onClick}>
          {inside}
        </button>
      ) : (
        <span className={`f-sync f-sync--${tone}`}>{inside}</span>
      )}
    </span>
  )
}
